import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ToolError, type OperationResult, type ToolContext } from "@pergola/sdk";
import { runOperation, toolContext, type TestContext, type TestSetup } from "@pergola/sdk/testing";
import { fileOperations } from "../index.ts";

type Arguments = Readonly<Record<string, unknown>>;

/** A working directory with files in it, and the operations on it. */
export interface Workspace {
  readonly root: string;
  readonly context: TestContext;
  readonly path: (file: string) => string;
  readonly put: (file: string, content: string | Uint8Array) => void;
  readonly text: (file: string) => string;
  readonly has: (file: string) => boolean;
  /** Runs an operation by one of its names. */
  readonly run: (
    operation: string,
    args?: Arguments,
    changes?: Partial<ToolContext>,
  ) => Promise<OperationResult>;
  /** The result's `data`, as it is. */
  readonly data: <T>(operation: string, args?: Arguments) => Promise<T>;
  /** What an operation that writes says after a crash of whether it happened. */
  readonly outcome: (operation: string, args: Arguments) => Promise<string | undefined>;
  /** The ToolError that the operation fails with. */
  readonly failure: (
    operation: string,
    args?: Arguments,
    changes?: Partial<ToolContext>,
  ) => Promise<ToolError>;
}

export const operationNamed = (name: string) => {
  const found = fileOperations.operations.find(
    (operation) => operation.name === name || operation.aliases?.includes(name),
  );
  if (found === undefined) throw new Error(`no operation ${name}`);
  return found;
};

export function workspace(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  setup: Partial<ToolContext> & TestSetup = {},
): Workspace {
  const context = toolContext(setup);
  const root = context.workingDirectory;
  const at = (file: string): string => path.join(root, file);
  const put = (file: string, content: string | Uint8Array): void => {
    mkdirSync(path.dirname(at(file)), { recursive: true });
    writeFileSync(at(file), content);
  };
  const run = (operation: string, args: Arguments = {}, changes: Partial<ToolContext> = {}) =>
    runOperation(operationNamed(operation), args, { ...context, ...changes });
  for (const [file, content] of Object.entries(files)) put(file, content);
  return {
    root,
    context,
    path: at,
    put,
    text: (file) => readFileSync(at(file), "utf8"),
    has: (file) => existsSync(at(file)),
    run,
    outcome: async (operation, args) => operationNamed(operation).reconcile?.(args as never, context),
    data: async <T>(operation: string, args?: Arguments) => (await run(operation, args)).data as T,
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
