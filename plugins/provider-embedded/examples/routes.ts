import type { Effect, JsonSchema, OfferedOperation, OfferedTool, Properties } from "@pergola/sdk";
import { words } from "../request/words.ts";
import { type Pattern, patternOf } from "./pattern.ts";

/** One thing that can be called. */
export interface Route {
  readonly tool: string;
  /** undefined for a tool without operations. */
  readonly operation: string | undefined;
  readonly name: string;
  readonly description: string;
  readonly parameters: Properties;
  readonly required: readonly string[];
  /** The sentences of its examples. */
  readonly sayings: readonly string[];
  readonly patterns: readonly Pattern[];
  readonly effects: readonly Effect[];
  /** What it changes is kept by the service itself, and can be changed back. */
  readonly isKeeping: boolean;
}

/** Families that only keep what they are told. */
const keepingTools = words("memory_operations todo_operations");

function prepare(tool: OfferedTool, operation: OfferedOperation, isAlone: boolean): Route {
  const { name, description, parameters, required, examples, effects } = operation;
  return {
    tool: tool.name,
    operation: isAlone ? undefined : name,
    name,
    description,
    parameters,
    required,
    sayings: examples.map(({ say }) => say),
    patterns: examples.flatMap((example) => patternOf(example, { parameters, examples }) ?? []),
    effects,
    isKeeping: keepingTools.has(tool.name) && effects.every((effect) => effect !== "destructive"),
  };
}

/** A tool without operations as its one operation. Its caller runs it: nobody here knows what it does. */
function soleOperation(tool: OfferedTool): OfferedOperation {
  const { properties = {}, required = [] } = tool.parameters as JsonSchema & { required?: readonly string[] };
  const { name, description } = tool;
  return {
    name,
    description,
    effects: ["execute"],
    parameters: properties,
    required,
    examples: [],
  };
}

const prepared = new WeakMap<OfferedTool, readonly Route[]>();

function routesOfTool(tool: OfferedTool): readonly Route[] {
  const { operations = [] } = tool;
  const known = prepared.get(tool);
  if (known !== undefined) return known;
  const all = operations.length === 0 ? [soleOperation(tool)] : operations;
  const routes = all.map((operation) => prepare(tool, operation, all.length === 1));
  prepared.set(tool, routes);
  return routes;
}

/** Everything the offered tools can do, prepared once for each tool. */
export const routesOf = (tools: readonly OfferedTool[]): readonly Route[] => tools.flatMap(routesOfTool);
