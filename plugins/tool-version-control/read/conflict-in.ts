import { ToolError, type SpawnResult } from "@pergola/sdk";
import type { Repository } from "../git/repository.ts";
import { conflictedOf, readStatus } from "./read-status.ts";

/** Why a command failed: for the files that conflict, or else as git says. */
export async function conflictIn(
  repository: Repository,
  { stdout, stderr }: SpawnResult,
  hint: string,
): Promise<ToolError> {
  const conflicted = conflictedOf(await readStatus(repository));
  if (conflicted.length === 0) return repository.failure(`${stderr}${stdout}`);
  return new ToolError("conflict", `Conflicts in ${conflicted.join(", ")}.`, {
    hint,
    fields: { conflicted },
  });
}
