import { ToolError } from "@pergola/sdk";
import { requireNoOption } from "./names.ts";
import type { Repository } from "./repository.ts";

/**
 * The full hash of the commit that a branch, tag, hash or expression such as `HEAD~2` stands for. Throws
 * ToolError `not_found`.
 */
export async function findRef(repository: Repository, ref: string): Promise<string> {
  const hash = await repository.find(`${requireNoOption(ref, "A ref")}^{commit}`);
  if (hash !== undefined) return hash;
  throw new ToolError("not_found", `There is no commit "${ref}".`, {
    hint: "Give one branch, tag or hash; look with branch, tag or log.",
  });
}
