import { realpathSync } from "node:fs";
import { isBelow, ToolError, type Caller, type Effect } from "@pergola/sdk";
import type { RegisteredTool } from "@pergola/sdk/host";

interface Acting {
  readonly caller: Caller;
  readonly effect: Effect;
  readonly permissions: RegisteredTool["plugin"]["permissions"];
}

/** Where a folder really is, or would be. */
function realOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

/**
 * Throws ToolError for a call that its caller's token does not allow, whoever approves it: without the scope
 * tools anything with an effect, with a root anything outside it. `reals`: the working directory and all
 * paths of the call, as they really are.
 */
export function checkCaller({ caller, effect, permissions }: Acting, reals: readonly string[]): void {
  const { scopes, root } = caller;
  if (effect !== "none" && !scopes.includes("tools"))
    throw new ToolError("permission_denied", "The token of this request may not use tools with an effect.", {
      hint: "Tell the person: it needs a token with the scope tools.",
    });
  if (root === null) return;
  const hint = `Stay below ${root}; the token of this request reaches nothing else.`;
  if (!reals.every((real) => isBelow(realOf(root), real)))
    throw new ToolError("path_escape", "The call reaches outside the folder of its token.", { hint });
  // What a program reads cannot be kept below a folder, nor what searches the whole computer. Git can.
  const programs = permissions.processes ?? [];
  const isBound = programs !== "any" && programs.every((program) => program === "git");
  if (effect === "execute" || !isBound)
    throw new ToolError("permission_denied", "A token with a root runs no programs.", { hint });
}
