import type { Effect, JsonSchema, OfferedOperation, OfferedTool, Properties } from "@pergola/sdk";
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
  /** It changes nothing but the service's own store. */
  readonly isOwn: boolean;
}

function prepare(tool: OfferedTool, operation: OfferedOperation, isAlone: boolean): Route {
  const { name, description, parameters, required, examples, effects, place } = operation;
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
    isOwn: place === "own",
  };
}

/** A tool without operations as its one operation. Its caller runs it: nobody here knows what it does. */
function soleOperation(tool: OfferedTool): OfferedOperation {
  const { properties = {}, required = [] } = tool.parameters as JsonSchema & { required?: readonly string[] };
  const { name, description } = tool;
  return { name, description, effects: ["execute"], parameters: properties, required, examples: [] };
}

const prepared = new WeakMap<OfferedTool, readonly Route[]>();

function routesOfTool(tool: OfferedTool): readonly Route[] {
  const { operations = [] } = tool;
  const routes =
    prepared.get(tool) ??
    (operations.length === 0
      ? [prepare(tool, soleOperation(tool), true)]
      : operations.map((each) => prepare(tool, each, operations.length === 1)));
  prepared.set(tool, routes);
  return routes;
}

/** Everything the offered tools can do, prepared once for each tool. */
export const routesOf = (tools: readonly OfferedTool[]): readonly Route[] => tools.flatMap(routesOfTool);
