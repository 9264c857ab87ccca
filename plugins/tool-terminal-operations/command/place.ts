import { ToolError, type SpawnOptions, type ToolContext } from "@pergola/sdk";

/**
 * Where a command runs: a folder in the working directory or, when the person allowed it, elsewhere. Both are
 * real paths.
 */
export interface Place {
  readonly workingDirectory: string;
  readonly folder: string;
  /** The person was asked to let this command run outside of the sandbox. */
  readonly unsandboxed: boolean;
}

type PlaceContext = Pick<ToolContext, "files">;

/** Throws ToolError `file_not_found` or `invalid_value` for what is no folder. */
export async function placeOf(
  { files }: PlaceContext,
  directory: string,
  unsandboxed = false,
): Promise<Place> {
  const [{ real: workingDirectory }, { real: folder }] = await Promise.all([
    files.resolve("."),
    files.resolve(directory),
  ]);
  const kind = folder === workingDirectory ? "directory" : (await files.stat(folder))?.kind;
  if (kind === "directory") return { workingDirectory, folder, unsandboxed };
  const failure = (code: string, fault: string): ToolError =>
    new ToolError(code, `The folder "${directory}" ${fault}.`, {
      hint: "Leave working_directory out to use the working directory.",
    });
  if (kind === undefined) throw failure("file_not_found", "does not exist");
  throw failure("invalid_value", "is not a folder");
}

/** The sandbox of a command: it works in the working directory, and in the folder that the person allowed. */
export function sandboxOf({ workingDirectory, folder, unsandboxed }: Place): Pick<SpawnOptions, "sandbox"> {
  if (unsandboxed) return {};
  return { sandbox: { kind: "command", write: [workingDirectory, folder] } };
}
