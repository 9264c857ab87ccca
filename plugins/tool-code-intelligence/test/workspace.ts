import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ToolError, type Operation, type ToolContext } from "@pergola/sdk";
import { runOperation, toolContext, type TestContext, type TestSetup } from "@pergola/sdk/testing";
import { codeIntelligence } from "../index.ts";

type Arguments = Readonly<Record<string, unknown>>;
type Files = Readonly<Record<string, string | Uint8Array>>;

/** A working directory with files in it, and the operations on it. */
export interface Workspace {
  readonly root: string;
  readonly context: TestContext;
  readonly put: (files: Files) => void;
  readonly run: (
    operation: string,
    args: Arguments,
    changes?: Partial<ToolContext>,
  ) => ReturnType<typeof runOperation>;
  readonly data: <T>(operation: string, args: Arguments) => Promise<T>;
  /** The ToolError that the operation fails with. */
  readonly failure: (
    operation: string,
    args: Arguments,
    changes?: Partial<ToolContext>,
  ) => Promise<ToolError>;
}

export function operationNamed(name: string): Operation {
  const found = codeIntelligence.operations.find((operation) => operation.name === name);
  if (found === undefined) throw new Error(`no operation ${name}`);
  return found;
}

export function workspace(files: Files = {}, setup: Partial<ToolContext> & TestSetup = {}): Workspace {
  const context = toolContext(setup);
  const root = context.workingDirectory;
  const put = (added: Files): void => {
    for (const [file, content] of Object.entries(added)) {
      mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
      writeFileSync(path.join(root, file), content);
    }
  };
  const run: Workspace["run"] = (operation, args, changes = {}) =>
    runOperation(operationNamed(operation), args, { ...context, ...changes });
  put(files);
  return {
    root,
    context,
    put,
    run,
    data: async <T>(operation: string, args: Arguments) => (await run(operation, args)).data as T,
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
