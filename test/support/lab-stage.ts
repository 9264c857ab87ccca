import path from "node:path";
import { setTimeout } from "node:timers/promises";
import {
  chatReply,
  type MockProviderServer,
  type MockReply,
  type MockScript,
  type ScriptedCall,
  type TestHost,
  type TestHostOptions,
} from "@pergola/sdk/testing";
import { ask, officialPlugins, openStage, type Stage } from "./host.ts";
import { lab } from "./plugins/tool-lab/lab.ts";

export const labPlugin = { use: path.join(import.meta.dirname, "plugins", "tool-lab"), isolation: "trusted" };

/** A stage whose host also has the family `lab`, see plugins/tool-lab. */
export async function openLab(script?: MockScript, options: TestHostOptions = {}): Promise<Stage> {
  lab.reset();
  return openStage(script, { plugins: [...officialPlugins(), labPlugin], ...options });
}

/**
 * For tests with a host of their own: gives what opens one; it is ended after the test, however that ends.
 */
export function eachItsLab(): (options?: TestHostOptions) => Promise<Stage> {
  const open: Stage[] = [];
  afterEach(async () => {
    for (const stage of open.splice(0)) await stage.end();
  });
  return async (options = {}) => {
    const stage = await openLab([], options);
    open.push(stage);
    return stage;
  };
}

/** A call of the family `lab`. */
export const labCall = (operation: string, name: string, more: object = {}): ScriptedCall => ({
  name: "lab",
  arguments: { operation, name, ...more },
});

/** A model's answer that makes these calls. */
export const calling = (...toolCalls: readonly ScriptedCall[]): MockReply => chatReply({ toolCalls });
export const saying = (text: string): MockReply => chatReply({ text });

export interface ChatAnswer {
  readonly choices: readonly {
    readonly message: { readonly content: string };
    readonly finish_reason: string;
  }[];
  readonly service_metadata: {
    readonly run_id: string;
    readonly conversation_id: string;
    readonly warnings: readonly string[];
    readonly workflow: {
      readonly iterations: number;
      readonly max_iterations: number;
      readonly tool_call_count: number;
      readonly tools_used: readonly string[];
      readonly completion_reason: string;
      readonly had_errors: boolean;
    };
  };
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly details?: { readonly toolCallId?: string };
  };
}

/** Plays a script to one request. */
export async function play({ host, provider }: Stage, script: MockScript, more: object = {}, text = "Do it") {
  provider.play(script);
  const { status, body } = await host.json<ChatAnswer>("POST", "/api/chat/completions", ask(text, more));
  return {
    status,
    body,
    content: body.choices?.[0]?.message.content,
    workflow: body.service_metadata?.workflow,
  };
}

export interface WireMessage {
  readonly role: string;
  readonly content: string | null;
  readonly type: string;
  readonly runId: string | null;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly toolOperation?: string;
  readonly toolStatus?: string;
  readonly toolMetadata?: Readonly<Record<string, unknown>>;
  readonly toolCalls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}

/** What the helpers below need of a host: one in this process, or one in its own. */
type Asked = Pick<TestHost, "json">;

export const messagesOf = async (host: Asked, conversation: string): Promise<readonly WireMessage[]> =>
  (
    await host.json<{ messages: WireMessage[] }>(
      "GET",
      `/v1/conversations/${encodeURIComponent(conversation)}`,
    )
  ).body.messages;

export interface Outcome {
  readonly success: boolean;
  readonly data?: string;
  readonly content?: string;
  readonly error?: string;
  readonly error_code?: string;
  readonly message: string;
  readonly [field: string]: unknown;
}

/** The results of a conversation's tool calls, in order. */
export const outcomesOf = async (host: Asked, conversation: string): Promise<readonly Outcome[]> =>
  (await messagesOf(host, conversation))
    .filter(({ role }) => role === "tool")
    .map(({ content }) => JSON.parse(content ?? "") as Outcome);

export interface SentMessage {
  readonly role: string;
  readonly content: string | null;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}

/** What the model was sent in a request. */
export const sentTo = ({ requests }: MockProviderServer, index: number): readonly SentMessage[] =>
  (requests.at(index)?.body as { messages: SentMessage[] }).messages;

/** Asks again and again until the answer is there, neither undefined nor false; fails after 15 seconds. */
export async function eventually<T>(
  what: () => Promise<T | false | undefined> | T | false | undefined,
): Promise<T> {
  for (const end = performance.now() + 15_000; performance.now() < end; await setTimeout(3)) {
    const found = await what();
    if (found !== undefined && found !== false) return found;
  }
  throw new Error("It did not happen within 15 seconds.");
}

export interface WireApproval {
  readonly id: string;
  readonly toolCallId: string;
  readonly runId: string | null;
  readonly conversationId: string;
  readonly kind: string;
  readonly tool: string;
  readonly operation: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly paths: readonly string[];
  readonly effect: string;
  readonly reason: string;
  readonly prompt: string;
  readonly status: string;
  readonly decision: string | null;
  readonly answer: string | null;
  readonly authorize_operation: string | null;
  readonly options: readonly string[];
  readonly expiresAt: string | null;
  readonly answeredAt: string | null;
  readonly result?: Outcome | null;
}

export const approvals = async (host: Asked, query = ""): Promise<readonly WireApproval[]> =>
  (await host.json<{ approvals: WireApproval[] }>("GET", `/api/approvals${query}`)).body.approvals;

/** The conversation's pending question, as soon as there is one that `before` is not. */
export const pendingIn = (host: Asked, conversation: string, before?: WireApproval): Promise<WireApproval> =>
  eventually(async () =>
    (await approvals(host, `?conversationId=${encodeURIComponent(conversation)}`)).find(
      ({ id }) => id !== before?.id,
    ),
  );

export const answer = (host: Asked, toolCallId: string, body: object) =>
  host.json<{ status?: string; decision?: string; error?: { code: string } }>(
    "POST",
    "/api/chat/tool-response",
    { toolCallId, ...body },
  );

export interface WireRun {
  readonly id: string;
  readonly conversationId: string;
  readonly status: string;
  readonly completion_reason: string | null;
  readonly iterations: number;
  readonly max_iterations: number;
  readonly tool_call_count: number;
  readonly tools_used: readonly string[];
  readonly had_errors: boolean;
  readonly pendingToolCallIds: readonly string[];
  readonly error: { readonly code: string; readonly message: string } | null;
}

export const runOf = async (host: Asked, conversation: string): Promise<WireRun> =>
  (
    await host.json<{ runs: WireRun[] }>(
      "GET",
      `/api/runs?conversationId=${encodeURIComponent(conversation)}`,
    )
  ).body.runs[0] as WireRun;

/** The conversation's newest run as soon as it has this status. */
export const runWith = (host: Asked, conversation: string, status: string): Promise<WireRun> =>
  eventually(async () => {
    const run = await runOf(host, conversation);
    return run?.status === status ? run : undefined;
  });
