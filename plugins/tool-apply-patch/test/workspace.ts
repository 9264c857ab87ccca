import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ToolError, type TouchedPath } from "@pergola/sdk";
import { runOperation, toolContext } from "@pergola/sdk/testing";
import { patch } from "../operations/patch.ts";

export const blocks = (...lines: readonly string[]): string =>
  ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");

/** The paths of a patch that is too small for a thread. */
export const touchesOf = (text: string, folder = "."): readonly TouchedPath[] =>
  patch.touches?.({ patch: text, target_directory: folder } as never) as readonly TouchedPath[];

/** A working directory with files in it, and patches applied to it. */
export function workspace(contents: Readonly<Record<string, string | Uint8Array>> = {}) {
  const context = toolContext();
  const at = (file: string): string => path.join(context.workingDirectory, file);
  for (const [file, content] of Object.entries(contents)) {
    mkdirSync(path.dirname(at(file)), { recursive: true });
    writeFileSync(at(file), content);
  }
  const run = (args: object) => runOperation(patch, { ...args }, context);
  const apply = (text: string, more: object = {}) => run({ patch: text, ...more });
  const errorOf = async (work: Promise<unknown>): Promise<ToolError> => {
    const error: unknown = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (ToolError.is(error)) return error;
    throw new Error("the patch did not fail with a ToolError", { cause: error });
  };
  return {
    root: context.workingDirectory,
    at,
    text: (file: string): string => readFileSync(at(file), "utf8"),
    has: (file: string): boolean => existsSync(at(file)),
    apply,
    run,
    data: async (args: object) => (await run(args)).data,
    refusal: (args: object) => errorOf(run(args)),
    /** The ToolError that a patch fails with; the files must be as they were. */
    failure: async (text: string, more: object = {}): Promise<ToolError> => {
      const error = await errorOf(apply(text, more));
      for (const [file, content] of Object.entries(contents))
        if (!readFileSync(at(file)).equals(Buffer.from(content))) throw new Error(`${file} was changed`);
      return error;
    },
  };
}
