import type {
  MockReply,
  MockRequest,
  MockScript,
  ScriptedCall,
  TestHost,
  TestHostOptions,
} from "@pergola/sdk/testing";
import type { SentBody } from "./chat.ts";
import { ask, type Stage } from "./host.ts";
import {
  calling,
  eventually,
  openLab,
  saying,
  type ChatAnswer,
  type Outcome,
  type WireRun,
} from "./lab-stage.ts";

/** A call of agent_operations. */
export const agentCall = (operation: string, more: object = {}): ScriptedCall => ({
  name: "agent_operations",
  arguments: { operation, ...more },
});
export const spawning = (...tasks: readonly object[]): MockReply =>
  calling(...tasks.map((more) => agentCall("spawn", more)));

const bodyOf = ({ body }: MockRequest): SentBody => body as SentBody;
const textsOf = (request: MockRequest, role: string): readonly string[] =>
  bodyOf(request)
    .messages.filter((message) => message.role === role)
    .map(({ content }) => String(content));

/** The first words that an agent was told, or undefined for the conversation above. */
export const taskOf = (request: MockRequest): string | undefined => {
  const isAgent = textsOf(request, "system").some((text) => text.includes("You are a sub-agent"));
  return isAgent ? (textsOf(request, "user")[0] ?? "").split("\n\n")[0] : undefined;
};

type Replies = readonly MockReply[] | ((request: MockRequest, turn: number) => MockReply);

/** One model for all: each agent has its own script, by its task, and the conversation above has another. */
export function cast(above: Replies, agents: Readonly<Record<string, Replies>> = {}): MockScript {
  const turns = new Map<string, number>();
  return (request) => {
    const task = taskOf(request);
    const turn = turns.get(task ?? "") ?? 0;
    turns.set(task ?? "", turn + 1);
    const script = task === undefined ? above : (agents[task] ?? [saying(`${task}: done.`)]);
    const reply = typeof script === "function" ? script(request, turn) : script[turn];
    if (reply === undefined) throw new Error(`no reply number ${turn} for ${task ?? "the conversation"}`);
    return reply;
  };
}

/** The model calls of an agent, or of the conversation above. */
export const callsOf = ({ provider }: Stage, task?: string): readonly SentBody[] =>
  provider.requests.filter((request) => taskOf(request) === task).map(bodyOf);

export const openAgents = (options: TestHostOptions = {}): Promise<Stage> => openLab([], options);

const withAgents = (more: object): object => {
  const { service_config = {}, ...rest } = more as { readonly service_config?: object };
  return { ...rest, service_config: { enable_workflow_mode: true, ...service_config } };
};

/** A chat in which the family is switched on. */
export const chatWith = ({ host }: Stage, conversationId: string, more: object = {}) =>
  host.json<ChatAnswer>("POST", "/api/chat/completions", ask("Go.", { conversationId, ...withAgents(more) }));

/** The same, whose answer nobody waits for, and which its client does not end. */
export const beginWith = ({ host }: Stage, conversationId: string, more: object = {}): void => {
  const body = ask("Go.", {
    conversationId,
    stream: true,
    ...withAgents({ service_config: { on_client_close: "continue" }, ...more }),
  });
  void host
    .request("POST", "/api/chat/completions", body)
    .then((reply) => reply.text())
    .catch(() => undefined);
};

export interface AgentRun extends WireRun {
  readonly parentRunId: string | null;
  readonly kind: string;
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number };
}

/** The runs of all agents, oldest first. */
export const agentRuns = async (host: TestHost): Promise<readonly AgentRun[]> =>
  (await host.json<{ runs: AgentRun[] }>("GET", "/api/runs?kind=subagent")).body.runs.toReversed();

/** The only agent's run as soon as it has this status. */
export const agentRun = (host: TestHost, status: string): Promise<AgentRun> =>
  eventually(async () => (await agentRuns(host)).findLast((run) => run.status === status));

/** A call of the family by hand, in a conversation; its data is read. */
export async function byHand<T>(
  host: TestHost,
  conversationId: string,
  operation: string,
  more: object = {},
): Promise<T> {
  const call = {
    tool: "agent_operations",
    arguments: { operation, ...more },
    conversationId,
    isUserInitiated: true,
  };
  const { body } = await host.json<{ success: boolean; result: string; toolResult: Outcome }>(
    "POST",
    "/debug/mcp/execute",
    call,
  );
  return (body.success ? JSON.parse(body.result) : body.toolResult) as T;
}

export interface AgentEntry {
  readonly agent_id: string;
  readonly task: string;
  readonly status: string;
  readonly iterations: number;
}

export const agentsIn = async (host: TestHost, conversationId: string): Promise<readonly AgentEntry[]> =>
  (await byHand<{ agents: readonly AgentEntry[] }>(host, conversationId, "list")).agents;

/** The agents' states as soon as they are these. */
export const agentsBecome = (
  host: TestHost,
  conversationId: string,
  ...states: readonly string[]
): Promise<readonly AgentEntry[]> =>
  eventually(async () => {
    const agents = await agentsIn(host, conversationId);
    return agents.map(({ status }) => status).join() === states.join() ? agents : undefined;
  });

export interface InboxEntry {
  readonly id: string;
  readonly agent_id: string;
  readonly text: string;
}

export const inboxOf = async (host: TestHost, conversationId: string): Promise<readonly InboxEntry[]> =>
  (await byHand<{ messages: readonly InboxEntry[] }>(host, conversationId, "inbox")).messages;
