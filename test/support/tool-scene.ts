import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Effect, Json, JsonObject, JsonSchema, Operation, Plugin, Tool } from "@pergola/sdk";
import { effectsOf } from "../../plugins/service-tools/describe-tool.ts";
import type { MockScript, TestHostOptions } from "@pergola/sdk/testing";
import { pluginFolders, root } from "../architecture/tree.ts";
import { officialPlugins, openStage, type Stage } from "./host.ts";

/** The ids of the standard bundle's plugins, in its order. */
const bundled = (
  JSON.parse(readFileSync(path.join(root, "plugins/bundle-standard/plugin.json"), "utf8")) as {
    includes: readonly string[];
  }
).includes.map((name) => path.basename(name));

const place = (id: string): number => (bundled.indexOf(id) + bundled.length + 1) % (bundled.length + 1);
const inOrder = (ids: readonly string[]): readonly string[] => ids.toSorted((a, b) => place(a) - place(b));

const toolsOf = async (id: string): Promise<readonly Tool[]> => {
  const { default: plugin } = (await import(
    pathToFileURL(path.join(root, "plugins", id, "index.ts")).href
  )) as { default: Plugin };
  return plugin.tools ?? [];
};

/** Every family that the official plugins bring, those of the standard bundle first and in its order. */
const loadFamilies = async (): Promise<readonly Tool[]> =>
  (await Promise.all(inOrder(pluginFolders().filter((id) => id.startsWith("tool-"))).map(toolsOf))).flat();

/** An operation of a family, and arguments that it takes. */
export interface OperationCase {
  readonly tool: Tool;
  readonly operation: Operation;
  /** `family.operation` */
  readonly name: string;
  readonly effects: readonly Effect[];
  readonly args: JsonObject;
}

const examplesOf = (tools: readonly Tool[]): readonly JsonObject[] =>
  tools.flatMap(({ operations }) =>
    operations.flatMap(({ examples = [] }) => examples.map((one) => one.arguments)),
  );

/** A value that fits a schema. */
export function sampleOf(schema: JsonSchema): Json {
  const {
    default: usual,
    enum: values,
    type,
    items = { type: "string" },
    properties = {},
    required = [],
    minimum = 1,
  } = schema;
  if (usual !== undefined) return usual as Json;
  if (values !== undefined) return values[0] as Json;
  if (type === "array") return [sampleOf(items)];
  if (type === "object")
    return Object.fromEntries(required.map((key) => [key, sampleOf(properties[key] ?? {})]));
  if (type === "integer" || type === "number") return minimum;
  return type === "boolean" ? false : "sample";
}

/**
 * The operation's first example; without one, an example of another operation as far as it fits, and samples
 * of the rest.
 */
function goodArguments(
  { examples, required, parameters }: Operation,
  others: readonly JsonObject[],
): JsonObject {
  if (examples?.[0] !== undefined) return examples[0].arguments;
  const found = others.find((args) => required.every((key) => args[key] !== undefined)) ?? {};
  return Object.fromEntries(required.map((key) => [key, found[key] ?? sampleOf(parameters[key] ?? {})]));
}

/** Every operation that can be called, the hidden ones too. */
const casesOf = (families: readonly Tool[]): readonly OperationCase[] =>
  families.flatMap((tool) =>
    tool.operations.map((operation) => ({
      tool,
      operation,
      name: `${tool.name}.${operation.name}`,
      effects: effectsOf(operation),
      args: goodArguments(operation, [...examplesOf([tool]), ...examplesOf(families)]),
    })),
  );

export interface ToolStage extends Stage {
  readonly families: readonly Tool[];
  /** The operations of all families, the hidden ones too. */
  readonly operations: readonly OperationCase[];
}

export interface Executed {
  readonly success: boolean;
  readonly toolName: string;
  readonly error?: string;
  readonly error_code?: string;
  readonly approvalId?: string;
  readonly toolResult: {
    readonly success: boolean;
    readonly message: string;
    readonly data?: string;
    readonly error?: string;
    readonly error_code?: string;
    readonly [field: string]: unknown;
  };
}

/** A call by hand. */
export const execute = async (
  { host }: Pick<Stage, "host">,
  tool: string,
  args: unknown,
  more: object = {},
): Promise<Executed> =>
  (await host.json<Executed>("POST", "/debug/mcp/execute", { tool, arguments: args, ...more })).body;

/** A service that every family which needs one may find in good health; it can do nothing. */
async function healthyService() {
  const server = createServer((_, answer) =>
    answer.setHeader("content-type", "application/json").end('{"status":"ok","models":[]}'),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close().closeAllConnections() };
}

/** A host with every official tool family switched on. */
export async function openTools(
  { settings = {}, plugins = [], ...options }: TestHostOptions = {},
  script?: MockScript,
): Promise<ToolStage> {
  const service = await healthyService();
  const all = officialPlugins().toSorted((a, b) => place(path.basename(a.use)) - place(path.basename(b.use)));
  const stage = await openStage(script, {
    plugins: [...all, ...plugins],
    ...options,
    settings: { "tools.disabled": [], "tools.image.base_url": service.url, ...settings },
  });
  const families = await loadFamilies();
  return {
    ...stage,
    families,
    operations: casesOf(families),
    end: () => stage.end().finally(() => service.close()),
  };
}

/** Does something for each, a few at a time; gives what was said, without what was not worth a word. */
export async function eachOf<T, R>(
  all: readonly T[],
  act: (one: T) => Promise<R | undefined>,
  atOnce = 8,
): Promise<readonly R[]> {
  const rest = all.values();
  const said: R[] = [];
  const work = async () => {
    for (const one of rest) {
      const word = await act(one);
      if (word !== undefined) said.push(word);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return said;
}
