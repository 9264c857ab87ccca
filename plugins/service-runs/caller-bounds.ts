import { AppError, type Conversation, type LiveRun, type RunRequest } from "@pergola/sdk";
import type { NewRun, Parts } from "@pergola/sdk/host";
import { completeRequest } from "./complete-request.ts";
import type { RunLimit } from "./run-limit.ts";

/** Throws `insufficient_scope` for tools that a caller without the scope for them switches on. */
function checkScopes({ caller, toolSwitches }: RunRequest): void {
  if (caller.scopes.includes("tools") || !Object.values(toolSwitches).includes(true)) return;
  const message = 'This token may not switch on tools: it lacks the scope "tools". Use one that has it.';
  throw new AppError({ code: "insufficient_scope", message, details: { scope: "tools" } });
}

/**
 * Starts a run within what its caller and the service may have: it counts until it has ended; sub-agents
 * count with the run above.
 */
export async function startWithinLimits(
  { access }: Parts,
  limit: RunLimit,
  start: NewRun,
  begin: (request: RunRequest) => Promise<LiveRun>,
): Promise<LiveRun> {
  const request = completeRequest(start);
  checkScopes(request);
  if (request.parent !== undefined) return begin(request);
  const endRun = await access?.beginRun(request.caller);
  let leave: (() => void) | undefined;
  const end = (): void => {
    endRun?.();
    leave?.();
  };
  try {
    leave = await limit.enter();
    const run = await begin(request);
    void run.done.then(end);
    return run;
  } catch (error) {
    end();
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
