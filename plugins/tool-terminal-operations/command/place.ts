import { ToolError, type ToolContext } from "@pergola/sdk";

/**
 * Where a command runs: a folder in the working directory or, when the person allowed it, elsewhere. Both are
 * real paths.
 */
export interface Place {
  readonly workingDirectory: string;
  readonly folder: string;
}

/** Throws ToolError `file_not_found` or `invalid_value` for what is no folder. */
export async function placeOf({ files }: Pick<ToolContext, "files">, directory: string): Promise<Place> {
  const [{ real: workingDirectory }, { real: folder }] = await Promise.all([
    files.resolve("."),
    files.resolve(directory),
  ]);
  const kind = folder === workingDirectory ? "directory" : (await files.stat(folder))?.kind;
  if (kind === "directory") return { workingDirectory, folder };
  const failure = (code: string, fault: string): ToolError =>
    new ToolError(code, `The folder "${directory}" ${fault}.`, {
      hint: "Leave working_directory out to use the working directory.",
    });
  if (kind === undefined) throw failure("file_not_found", "does not exist");
  throw failure("invalid_value", "is not a folder");
}
