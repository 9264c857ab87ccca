import { ToolError, type ToolContext } from "@pergola/sdk";
import type { Connection } from "../ssh/connection.ts";
import { arrivalNames } from "./arrivals.ts";
import { CopyBudget, type Copied } from "./copy-budget.ts";
import { copyIn } from "./copy-in.ts";
import { below } from "./names.ts";
import { RemoteFiles } from "./remote-files.ts";

export interface OutputSource {
  readonly workingFolder: string;
  readonly temporaryFolder: string;
  /** Relative to the working folder, absolute, or below `$TMPDIR/` or `~/`. */
  readonly names: readonly string[];
}

const ownFolder = "$TMPDIR/";

/**
 * Copies a command's output files into a folder here. What cannot be copied becomes a note: the command has
 * run already.
 */
export async function collectOutputs(
  connection: Connection,
  { workingFolder, temporaryFolder, names }: OutputSource,
  folder: string,
  context: ToolContext,
) {
  const saved: Copied[] = [];
  const notes: string[] = [];
  const arrivals = arrivalNames(names);
  const pathOf = (name: string): string => {
    if (!name.startsWith(ownFolder)) return below(workingFolder, name);
    return `${temporaryFolder}/${name.slice(ownFolder.length)}`;
  };
  const note = (name: string) => (error: unknown) => {
    if (!ToolError.is(error) || context.signal.aborted) throw error;
    notes.push(`${name} was not copied: ${error.message}`);
    return undefined;
  };
  if (names.length === 0) return { saved, notes };
  const remote = await RemoteFiles.open(connection, context.signal).catch(note(names.join(", ")));
  if (remote === undefined) return { saved, notes };
  const copy = { remote, context, budget: new CopyBudget() };
  for (const [index, name] of names.entries()) {
    const target = [folder, arrivals[index]].filter(Boolean).join("/");
    const copied = await copyIn(copy, pathOf(name), target).catch(note(name));
    if (copied !== undefined) saved.push(...copied);
  }
  remote.close();
  return { saved, notes };
}
