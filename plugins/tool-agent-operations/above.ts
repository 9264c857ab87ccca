import { defined, type RunRequest, type Services, type ToolContext } from "@pergola/sdk";

/** The run that an agent works for, or what stands in its place for a call by hand. */
export interface Above {
  /** Absent for a call by hand. */
  readonly id?: string;
  readonly request: RunRequest;
}

/**
 * Who called by hand is not known here, so an agent may do no more than one of a remote caller. Its folder is
 * the call's, which the host has checked for the caller.
 */
const unknownCaller = { remote: true, id: "hand" } as const;

/** Of a call by hand: the conversation's model, and all tools that are on. */
async function byHand({ conversations }: Services, conversationId: string): Promise<RunRequest> {
  const { model } = await conversations.get(conversationId);
  return defined<RunRequest>({
    kind: "subagent",
    model: model || "default",
    messages: [],
    callerTools: [],
    builtinTools: "all",
    toolSwitches: {},
    sampling: {},
    includeReasoning: false,
    enableMemory: true,
    customInstructions: [],
    caller: unknownCaller,
  });
}

export async function aboveOf(
  services: Services,
  { run, conversationId }: Pick<ToolContext, "run" | "conversationId">,
): Promise<Above> {
  const live = services.runs.live(run?.id ?? "");
  if (live !== undefined) return { id: live.id, request: live.request };
  return { request: await byHand(services, conversationId) };
}
