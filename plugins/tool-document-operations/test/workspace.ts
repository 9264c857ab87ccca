import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ToolError, type OperationResult, type ToolContext } from "@pergola/sdk";
import { runOperation, toolContext, type TestContext, type TestSetup } from "@pergola/sdk/testing";
import { strFromU8, unzipSync } from "fflate";
import { documentOperations } from "../index.ts";

type Arguments = Readonly<Record<string, unknown>>;

export interface Imported {
  readonly document_id: string;
  readonly filename: string;
  readonly source_url: string | null;
  readonly content_type: string;
  readonly file_size: number;
  readonly full_content_length: number;
  readonly preview_length: number;
  readonly import_date: string;
  readonly memory_stored: boolean;
  readonly content_preview: string;
  readonly style: Readonly<Record<string, unknown>>;
}

export const operationNamed = (name: string) => {
  const found = documentOperations.operations.find((operation) => operation.name === name);
  if (found === undefined) throw new Error(`no operation ${name}`);
  return found;
};

/** A working directory, and the operations on it. */
export function workspace(setup: Partial<ToolContext> & TestSetup = {}) {
  const context: TestContext = toolContext(setup);
  const at = (file: string): string => path.join(context.workingDirectory, file);
  const run = (
    operation: string,
    args: Arguments = {},
    changes: Partial<ToolContext> = {},
  ): Promise<OperationResult> => runOperation(operationNamed(operation), args, { ...context, ...changes });
  return {
    context,
    at,
    put: (file: string, content: string | Uint8Array): void => writeFileSync(at(file), content),
    bytes: (file: string): Buffer => readFileSync(at(file)),
    /** The XML part of an Office document. */
    part: (file: string, name: string): string =>
      strFromU8(unzipSync(readFileSync(at(file)))[name] ?? new Uint8Array()),
    parts: (file: string): readonly string[] => Object.keys(unzipSync(readFileSync(at(file)))),
    run,
    create: async (args: Arguments): Promise<string> =>
      ((await run("document_create", args)).data as { readonly filename: string }).filename,
    imported: async (file: string): Promise<Imported> =>
      (await run("document_import", { path: file })).data as unknown as Imported,
    failure: async (
      operation: string,
      args: Arguments,
      changes: Partial<ToolContext> = {},
    ): Promise<ToolError> => {
      const error: unknown = await run(operation, args, changes).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (ToolError.is(error)) return error;
      throw new Error(`${operation} did not fail with a ToolError`, { cause: error });
    },
  };
}

/** Whether a program is there; a test that needs it is skipped where it is not. */
export const hasProgram = (program: string): boolean => spawnSync("which", [program]).status === 0;

/** What a program prints. */
export const printed = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, args, { encoding: "utf8" });

/** Skips a test where a program is missing. */
export function needs(test: Mocha.Context, program: string, debianPackage: string): void {
  if (hasProgram(program)) return;
  console.log(`      skipped: ${program} is missing (Debian package ${debianPackage})`);
  test.skip();
}
