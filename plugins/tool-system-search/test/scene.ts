import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { ToolError, type Json, type OperationResult, type ToolContext } from "@pergola/sdk";
import {
  runOperation,
  temporaryFolder,
  toolContext,
  type TestContext,
  type TestSetup,
} from "@pergola/sdk/testing";
import { systemSearch } from "../index.ts";

type Arguments = Readonly<Record<string, unknown>>;

export interface Results {
  readonly results: readonly {
    readonly name: string;
    readonly path: string;
    readonly size: number;
    readonly modified: string;
  }[];
  readonly totalCount: number;
}

/** A folder that is searched, with files in it, and the operations on it. */
export interface Scene {
  readonly root: string;
  readonly context: TestContext;
  readonly settings: Readonly<Record<string, Json>>;
  readonly path: (file: string) => string;
  readonly put: (file: string, content: string | Uint8Array) => string;
  readonly run: (
    operation: string,
    args?: Arguments,
    changes?: Partial<ToolContext>,
  ) => Promise<OperationResult>;
  /** The names that an operation finds, in its order. */
  readonly names: (operation: string, args?: Arguments) => Promise<readonly string[]>;
  readonly results: (operation: string, args?: Arguments, changes?: Partial<ToolContext>) => Promise<Results>;
  readonly failure: (
    operation: string,
    args?: Arguments,
    changes?: Partial<ToolContext>,
  ) => Promise<ToolError>;
}

export interface SceneSetup extends TestSetup {
  readonly root?: string;
  readonly settings?: Readonly<Record<string, Json>>;
  readonly workingDirectory?: string;
}

export const operationNamed = (name: string) => {
  const found = systemSearch.operations.find((operation) => operation.name === name);
  if (found === undefined) throw new Error(`no operation ${name}`);
  return found;
};

/**
 * What holds sooner or later: asks until it does, for at most ten seconds, and gives the last answer back.
 */
export async function eventually<T>(ask: () => Promise<T>, holds: (answer: T) => boolean): Promise<T> {
  for (let round = 0; round < 100; round += 1) {
    const answer = await ask();
    if (holds(answer)) return answer;
    await setTimeout(100);
  }
  return ask();
}

export function scene(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  setup: SceneSetup = {},
): Scene {
  const { root = temporaryFolder("pergola-root-"), settings: given = {}, preferences = {}, ...rest } = setup;
  const dataDirectory = rest.dataDirectory ?? temporaryFolder("pergola-data-");
  const at = (file: string): string => path.join(root, file);
  const put = (file: string, content: string | Uint8Array): string => {
    mkdirSync(path.dirname(at(file)), { recursive: true });
    writeFileSync(at(file), content);
    return at(file);
  };
  for (const [file, content] of Object.entries(files)) put(file, content);
  const settings: Readonly<Record<string, Json>> = {
    "tools.system_search.roots": [root],
    "tools.system_search.indexer": "own",
    "tools.system_search.excluded": [dataDirectory],
    "tools.system_search.index_path": path.join(dataDirectory, "system-search"),
    ...given,
  };
  const folders = settings["tools.system_search.roots"] as readonly string[];
  const clock = { now: () => Date.now() };
  const context = toolContext({
    ...rest,
    dataDirectory,
    clock,
    settings,
    preferences,
    configured: { folders },
  });
  const run: Scene["run"] = (operation, args = {}, changes = {}) =>
    runOperation(operationNamed(operation), args, { ...context, ...changes });
  const results: Scene["results"] = async (...call) => {
    const complete = ({ message = "" }: OperationResult): boolean => !message.includes("still being made");
    return (await eventually(() => run(...call), complete)).data as unknown as Results;
  };
  return {
    root,
    context,
    settings,
    path: at,
    put,
    run,
    results,
    names: async (operation, args) => (await results(operation, args)).results.map(({ name }) => name),
    async failure(operation, args, changes) {
      const error: unknown = await run(operation, args, changes).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (ToolError.is(error)) return error;
      throw new Error(`${operation} did not fail with a ToolError`, { cause: error });
    },
  };
}
