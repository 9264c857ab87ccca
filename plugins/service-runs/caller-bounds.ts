import { AppError, type Conversation, type LiveRun, type RunRequest } from "@pergola/sdk";
import type { Parts } from "@pergola/sdk/host";

/** Throws `insufficient_scope` for tools that a caller without the scope for them switches on. */
function checkScopes({ caller, toolSwitches }: RunRequest): void {
  if (caller.scopes.includes("tools") || !Object.values(toolSwitches).includes(true)) return;
  const message = 'This token may not switch on tools: it lacks the scope "tools". Use one that has it.';
  throw new AppError({ code: "insufficient_scope", message, details: { scope: "tools" } });
}

/**
 * Starts a run within what its caller may: it counts for the caller until it has ended; sub-agents count with
 * the run above.
 */
export async function startForCaller(
  { access }: Parts,
  request: RunRequest,
  begin: () => Promise<LiveRun>,
): Promise<LiveRun> {
  checkScopes(request);
  const endRun = request.parent === undefined ? await access?.beginRun(request.caller) : undefined;
  try {
    const run = await begin();
    if (endRun !== undefined) void run.done.then(endRun);
    return run;
  } catch (error) {
    endRun?.();
    throw error;
  }
}

/** Where the run works. Throws `invalid_value` for a folder that its caller's token does not reach. */
export async function directoryFor(
  { conversations }: Parts,
  { caller }: RunRequest,
  conversation: Conversation,
): Promise<string> {
  const folder = await conversations.workingDirectoryOf(conversation);
  if (caller.root !== null) await conversations.checkWorkingDirectory(folder, caller);
  return folder;
}
