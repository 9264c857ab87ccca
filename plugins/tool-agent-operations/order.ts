import {
  defined,
  ToolError,
  type Conversation,
  type RunParent,
  type RunRequest,
  type Services,
} from "@pergola/sdk";
import type { Above } from "./above.ts";
import type { Agent, Wishes } from "./agent.ts";

/** Families that an agent gets only where its spawn asks for them; remote execution never. */
const withheld: Readonly<Record<string, (wishes: Wishes) => boolean>> = {
  agent_operations: ({ enableWorkflowMode }) => enableWorkflowMode,
  terminal_operations: ({ enableTerminalAccess }) => enableTerminalAccess,
  increase_max_iterations: ({ enableDynamicIterations }) => enableDynamicIterations,
  remote_execution: () => false,
};

/** The families that the run above has, without those withheld from this agent. */
async function familiesFor(
  { tools }: Services,
  above: RunRequest,
  conversationId: string,
  wishes: Wishes,
): Promise<readonly string[]> {
  const { builtinTools: chosen, toolSwitches } = above;
  const has = (name: string): boolean => chosen === "all" || (chosen !== "none" && chosen.includes(name));
  const listed = await tools.list(conversationId);
  const usable = listed.filter(({ name, enabled }) => has(name) && (toolSwitches[name] ?? enabled));
  return usable.map(({ name }) => name).filter((name) => withheld[name]?.(wishes) ?? true);
}

function thinkingOf(wish: boolean | undefined, above: RunRequest): RunRequest["thinking"] {
  if (wish === undefined) return above.thinking;
  return { mode: wish ? "enabled" : "disabled" };
}

/** Nothing stands above an agent that was started by hand. */
function parentOf({ id }: Above, rest: Omit<RunParent, "runId" | "tool">): RunParent | undefined {
  if (id === undefined) return undefined;
  return { runId: id, tool: "agent_operations", ...rest };
}

/**
 * What a run of this agent is asked, but for its messages. `callId`: the call of the run above that waits for
 * it.
 */
export async function orderFor(
  services: Services,
  agent: Pick<Agent, "conversationId" | "parentId" | "persistent" | "wishes">,
  above: Above,
  callId: string | undefined,
): Promise<RunRequest> {
  const { conversationId, parentId, persistent, wishes } = agent;
  const { request } = above;
  const person = request.parent?.conversationId ?? parentId;
  const parent = parentOf(above, defined({ callId, conversationId: person, outlived: persistent }));
  return defined<RunRequest>({
    kind: "subagent",
    model: wishes.model ?? request.model,
    messages: [],
    conversationId,
    callerTools: [],
    builtinTools: await familiesFor(services, request, parentId, wishes),
    toolSwitches: request.toolSwitches,
    sampling: defined({ temperature: wishes.temperature, topP: wishes.topP }),
    thinking: thinkingOf(wishes.enableReasoning, request),
    includeReasoning: false,
    maxIterations: wishes.maxIterations,
    dynamicIterations: wishes.enableDynamicIterations && request.dynamicIterations,
    enableMemory: request.enableMemory,
    memoryCollectionId: wishes.sharedTopicId === undefined ? request.memoryCollectionId : undefined,
    systemPromptId: wishes.systemPromptId,
    customInstructions: [],
    caller: request.caller,
    parent,
  });
}

/**
 * The settings of an agent's conversation: what the person switched on or off above, and the topic. Throws
 * ToolError `not_found` for any topic but the one above: an id that nobody vouches for would open whatever is
 * kept under it.
 */
export function settingsFor({ settings }: Conversation, { sharedTopicId }: Wishes): Conversation["settings"] {
  const { toolOverrides, enableTools, useSharedData, sharedTopicId: topic, sharedTopicAccess } = settings;
  if (sharedTopicId !== undefined && sharedTopicId !== topic)
    throw new ToolError("not_found", `There is no topic "${sharedTopicId}" here.`, {
      hint: "Leave sharedTopicId out.",
    });
  return defined({
    toolOverrides,
    enableTools,
    useSharedData: sharedTopicId !== undefined || useSharedData,
    sharedTopicId: topic,
    sharedTopicAccess,
  });
}
