import { ToolError } from "@pergola/sdk";
import type { Repository } from "../git/repository.ts";

/** The branch that HEAD is on, born or not. Throws ToolError when HEAD is detached. */
export async function currentBranch(repository: Repository): Promise<string> {
  const { exitCode, stdout } = await repository.attempt(["symbolic-ref", "--quiet", "HEAD"]);
  if (exitCode === 0 && stdout.startsWith("refs/heads/")) return stdout.trim().slice("refs/heads/".length);
  throw new ToolError("insufficient_params", "HEAD is on no branch.", { hint: "Name the branch." });
}
