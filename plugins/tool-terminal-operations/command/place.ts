import { ToolError, type ToolContext } from "@pergola/sdk";
import { settingsOf } from "../settings.ts";
import { protectedPlaces, type ProtectedPlaces } from "./protected-places.ts";

/**
 * Where a command runs: a folder in the working directory or, when the person allowed it, elsewhere. Both are
 * real paths.
 */
export interface Place {
  readonly workingDirectory: string;
  readonly folder: string;
  /** In the two; for a program in the sandbox. */
  readonly protectedPlaces?: readonly ProtectedPlaces[];
}

type PlaceContext = Pick<ToolContext, "files" | "settings" | "preference">;

/**
 * Throws ToolError `file_not_found` or `invalid_value` for what is no folder, and `unavailable` for a sandbox
 * that would be none.
 */
export async function placeOf(context: PlaceContext, directory: string): Promise<Place> {
  const { files } = context;
  await requireWall(context);
  const [{ real: workingDirectory }, { real: folder }] = await Promise.all([
    files.resolve("."),
    files.resolve(directory),
  ]);
  const kind = folder === workingDirectory ? "directory" : (await files.stat(folder))?.kind;
  if (kind === "directory") return withProtection(context, { workingDirectory, folder });
  const failure = (code: string, fault: string): ToolError =>
    new ToolError(code, `The folder "${directory}" ${fault}.`, {
      hint: "Leave working_directory out to use the working directory.",
    });
  if (kind === undefined) throw failure("file_not_found", "does not exist");
  throw failure("invalid_value", "is not a folder");
}

/** With the network a program in the sandbox could ask the service for what the sandbox forbids. */
async function requireWall(context: PlaceContext): Promise<void> {
  const { sandbox, network } = settingsOf(context);
  if (sandbox === "none" || !network) return;
  if ((await context.preference("auth.loopback")) === "token") return;
  throw new ToolError("unavailable", "The sandbox would not hold: it has the network, and so the service.", {
    hint:
      "Tell the person: set tools.terminal.sandbox_network to false, or auth.loopback to token, so that " +
      "the service asks programs on this computer for a token.",
  });
}

async function withProtection(context: PlaceContext, place: Place): Promise<Place> {
  if (settingsOf(context).sandbox === "none") return place;
  const preference = await context.preference("authorization.protected_names");
  const names = Array.isArray(preference) ? preference.filter((name) => typeof name === "string") : [];
  const folders = [...new Set([place.workingDirectory, place.folder])];
  return {
    ...place,
    protectedPlaces: await Promise.all(folders.map((each) => protectedPlaces(each, names))),
  };
}
