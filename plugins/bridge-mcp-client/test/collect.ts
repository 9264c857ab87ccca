import path from "node:path";
import {
  ToolError,
  type Json,
  type Operation,
  type OperationResult,
  type Tool,
  type ToolRegistry,
} from "@pergola/sdk";
import { runOperation, temporaryFolder, toolContext, type TestContext } from "@pergola/sdk/testing";
import plugin from "../index.ts";

const servers = path.join(import.meta.dirname, "servers");

/** How a server of this folder is named in the settings. */
export const started = (file: string, ...args: readonly string[]) => ({
  command: process.execPath,
  args: [path.join(servers, file), ...args],
});
export const sample = (more: object = {}): Json => ({ ...started("sample-server.mjs"), ...more });
export const hostile = (mode = ""): Json => started("hostile-server.mjs", mode);

export interface Collected {
  /** Where approved descriptions are kept. */
  readonly folder: string;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly warnings: readonly string[];
  operation(family: string, name: string): Operation;
  run(
    family: string,
    name: string,
    args?: Readonly<Record<string, unknown>>,
    context?: TestContext,
  ): Promise<OperationResult>;
  /** The same for calls that answer with JSON. */
  json<T>(
    family: string,
    name: string,
    args?: Readonly<Record<string, unknown>>,
    context?: TestContext,
  ): Promise<T>;
  /** The same for calls that fail. */
  failure(
    family: string,
    name: string,
    args?: Readonly<Record<string, unknown>>,
    context?: TestContext,
  ): Promise<ToolError>;
}

/** What a start of the host does with the plugin: it registers, and its tools are collected. */
export async function collect(
  named: Readonly<Record<string, Json>>,
  folder = temporaryFolder(),
  seconds = 15,
): Promise<Collected> {
  const tools = new Map<string, Tool>();
  const warnings: string[] = [];
  const handlers: ((registry: ToolRegistry) => unknown)[] = [];
  const say = (fields: object, message: string): void =>
    void warnings.push(`${message} ${JSON.stringify(fields)}`);
  const host = {
    settings: { "mcp.servers": named, "mcp.connect_seconds": seconds, "mcp.path": folder },
    clock: { now: () => Date.now() },
    log: { debug: say, info: say, warn: say, error: say },
    tap: (hook: string, handler: (registry: ToolRegistry) => unknown) => {
      if (hook === "collectTools") handlers.push(handler);
    },
    sandbox: () => Promise.reject(new Error("No server of these tests has a sandbox.")),
    note: () => undefined,
  } as unknown as Parameters<NonNullable<typeof plugin.register>>[0];
  await plugin.register?.(host);
  for (const handler of handlers) await handler({ add: (tool) => void tools.set(tool.name, tool) });
  const operation = (family: string, name: string): Operation => {
    const found = tools.get(family)?.operations.find((one) => one.name === name);
    if (found === undefined) throw new Error(`There is no ${family}.${name}.`);
    return found;
  };
  const run: Collected["run"] = (family, name, args = {}, context = toolContext()) =>
    runOperation(operation(family, name), args, context);
  const failure: Collected["failure"] = async (...call) => {
    const error = await run(...call).then(
      ({ data }) => new Error(`It did not fail: ${JSON.stringify(data)}`),
      (cause: unknown) => cause,
    );
    if (ToolError.is(error)) return error;
    throw error;
  };
  const json = async <T>(...call: Parameters<Collected["run"]>): Promise<T> =>
    JSON.parse((await run(...call)).data as string) as T;
  return { folder, json, tools, warnings, operation, run, failure };
}

/** Ends all servers; for `afterEach`. */
export const stopAll = (): unknown => plugin.stop?.({} as never);

export const namesOf = ({ tools }: Collected, family: string): readonly string[] =>
  (tools.get(family)?.operations ?? []).filter(({ hidden }) => hidden !== true).map(({ name }) => name);

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
