import {
  defined,
  isBelow,
  type Caller,
  type RunRequest,
  type Services,
  type ToolContext,
} from "@pergola/sdk";

/** The run that an agent works for, or what stands in its place for a call by hand. */
export interface Above {
  /** Absent for a call by hand. */
  readonly id?: string;
  readonly request: RunRequest;
}

/** An agent that is called by hand may do no more than one of a remote caller, nor than its own caller. */
const callerOf = ({ caller }: Pick<ToolContext, "caller">): Caller => ({
  kind: "anyone",
  name: "hand",
  scopes: [],
  root: null,
  ...caller,
  id: "hand",
  remote: true,
});

/** Of a call by hand: the conversation's model, and all tools that are on. */
async function byHand(
  { conversations }: Services,
  { conversationId, caller }: Pick<ToolContext, "conversationId" | "caller">,
): Promise<RunRequest> {
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
    caller: callerOf(defined({ caller })),
  });
}

/** Whether a caller may do less than another, so that what works for that one takes no orders from it. */
export const isNarrower = ({ scopes, root }: Caller, other: Caller): boolean =>
  other.scopes.some((scope) => !scopes.includes(scope)) ||
  (root !== null && (other.root === null || !isBelow(root, other.root)));

export async function aboveOf(
  services: Services,
  context: Pick<ToolContext, "run" | "conversationId" | "caller">,
): Promise<Above> {
  const live = services.runs.live(context.run?.id ?? "");
  if (live !== undefined) return { id: live.id, request: live.request };
  return { request: await byHand(services, context) };
}
