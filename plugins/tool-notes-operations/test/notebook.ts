import { existsSync, mkdirSync, readFileSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ToolError, type JsonObject, type OperationResult } from "@pergola/sdk";
import { runOperation, temporaryFolder, toolContext } from "@pergola/sdk/testing";
import { notesOperations } from "../index.ts";

export const operationNamed = (name: string) =>
  notesOperations.operations.find((operation) => operation.name === name)!;

/**
 * A folder of notes outside the working directory, and the operations on it. Files are each a second newer
 * than the one before.
 */
export function notebook(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  root = path.join(temporaryFolder(), "notes"),
) {
  const context = toolContext({ settings: { "tools.notes.path": root }, configured: { folders: [root] } });
  const at = (file: string): string => path.join(root, file);
  const put = (file: string, content: string | Uint8Array, second = 0): void => {
    mkdirSync(path.dirname(at(file)), { recursive: true });
    writeFileSync(at(file), content);
    utimesSync(at(file), 1_700_000_000 + second, 1_700_000_000 + second);
  };
  for (const [index, [file, content]] of Object.entries(files).entries()) put(file, content, index);
  const run = (name: string, args: JsonObject = {}, changes: object = {}): Promise<OperationResult> =>
    runOperation(operationNamed(name), args, { ...context, ...changes });
  return {
    root,
    context,
    at,
    put,
    run,
    names: (folder = ""): readonly string[] => (existsSync(at(folder)) ? readdirSync(at(folder)) : []),
    text: (file: string) => readFileSync(at(file), "utf8"),
    data: async (name: string, args: JsonObject = {}) => (await run(name, args)).data as string,
    outcome: async (name: string, args: JsonObject) =>
      operationNamed(name).reconcile?.(args as never, context),
    failure: async (name: string, args: JsonObject): Promise<ToolError> => {
      const error: unknown = await run(name, args).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (ToolError.is(error)) return error;
      throw new Error(`${name} did not fail with a ToolError`, { cause: error });
    },
  };
}
