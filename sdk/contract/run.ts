import type { Preview } from "./preview.ts";
import type { ChatMessage, Sampling, Thinking, ToolCall, Usage } from "./provider.ts";
import type { ModelDetails, RunOutcome } from "./run-outcome.ts";
import type { Effect, OfferedTool, ToolDisplay } from "./tool.ts";
import type { JsonObject } from "../util/json.ts";

/** What started a run: a client, an autonomous workflow, or another run. */
export type RunKind = "chat" | "autonomous" | "subagent";
/** Where a run stands. */
export type RunStatus = "queued" | "running" | "waiting" | "interrupted" | "ended";
/** Why a run ended. */
export type CompletionReason =
  "workflow_complete" | "max_iterations_reached" | "cancelled" | "tool_execution_failed" | "error";

/** What a caller may be allowed to do; each route names what it asks for. */
export type Scope = "read" | "chat" | "tools" | "approve" | "admin";

/** Who asked. */
export interface Caller {
  /** `owner`: the person at this computer; `anyone`: no credential, which suffices for open routes alone. */
  readonly kind: "owner" | "token" | "session" | "anyone";
  /** Canonical address, or the id of a token. */
  readonly id: string;
  /** As the person knows it: the name of a token. */
  readonly name: string;
  readonly remote: boolean;
  readonly scopes: readonly Scope[];
  /** The folder that its runs must not leave; null = any. */
  readonly root: string | null;
}

/**
 * The run that started a sub-agent: it shows what the agent does and asks, is charged with what that costs,
 * and takes it along when it is cancelled.
 */
export interface RunParent {
  readonly runId: string;
  /** The tool family it used; stands beside what its stream shows of the agent. */
  readonly tool: string;
  /** Its call that waits for the agent; absent = it goes on meanwhile. */
  readonly callId?: string;
  /** The conversation whose person is asked, and whose grants count: that of the first run of the chain. */
  readonly conversationId: string;
  /** The agent goes on when that run has ended by itself. */
  readonly outlived: boolean;
}

/** What a run is asked to do; dialects are already folded. */
export interface RunRequest {
  readonly kind: RunKind;
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  /** UUID or alias; absent = a new conversation. */
  readonly conversationId?: string;
  /**
   * The client keeps its history itself and sends it whole: an agent with tools of its own, which names its
   * session in a header. Messages that begin a history begin a branch, even when the session has one already.
   */
  readonly sendsWholeHistory?: boolean;
  /** Without an id: never continue the conversation whose history the messages repeat. */
  readonly newConversation?: boolean;
  /**
   * The message below which the request's messages go, null = the beginning; absent = where its own history
   * leads.
   */
  readonly parentMessageId?: string | null;
  readonly callerTools: readonly OfferedTool[];
  /** What of the client's request cannot be honoured; it stands in the answer's warnings. */
  readonly warnings?: readonly string[];
  /** Families named by the caller's `tools`, or "all", or "none". */
  readonly builtinTools: "all" | "none" | readonly string[];
  readonly sampling: Sampling;
  readonly thinking?: Thinking;
  readonly includeReasoning: boolean;
  readonly maxIterations?: number;
  /** USD that the run may cost, below `runs.max_cost_usd`. */
  readonly maxCostUsd?: number;
  readonly dynamicIterations?: boolean;
  /** Families switched on or off for this request. */
  readonly toolSwitches: Readonly<Record<string, boolean>>;
  readonly enableMemory: boolean;
  readonly topic?: string;
  readonly memoryCollectionId?: string;
  readonly sharedMemory?: boolean;
  readonly title?: string;
  readonly workingDirectory?: string;
  readonly systemPromptId?: string;
  readonly personalityId?: string;
  readonly customInstructions: readonly string[];
  readonly statefulMarker?: string;
  /**
   * The client sees the answer as it comes; else it sees nothing before the end, and a failure of the first
   * model call is an HTTP error.
   */
  readonly stream?: boolean;
  /** The client has asked for the events of tools and questions. */
  readonly toolEvents?: boolean;
  /** A line names the call that waits for the person, and `address`, where the service is reached. */
  readonly waitingNote?: { readonly address: string; readonly isStreamed: boolean };
  readonly onClientClose?: "cancel" | "continue";
  /** What the endpoint wants to find in the run's record again. */
  readonly annotations?: JsonObject;
  /** The header `traceparent` as it came. */
  readonly trace?: string | undefined;
  /** Of a sub-agent only. */
  readonly parent?: RunParent;
  readonly caller: Caller;
}

/** What a run is started with. The messages and the caller make a plain chat with the default model. */
export type NewRun = Pick<RunRequest, "messages" | "caller"> & Partial<RunRequest>;

/** A run as clients see it. */
export interface RunRecord {
  readonly id: string;
  readonly conversationId: string;
  readonly parentRunId: string | null;
  readonly kind: RunKind;
  readonly status: RunStatus;
  readonly completionReason: CompletionReason | null;
  readonly model: string;
  readonly provider: string;
  readonly iterations: number;
  readonly maxIterations: number;
  readonly toolCallCount: number;
  readonly toolsUsed: readonly string[];
  readonly hadErrors: boolean;
  readonly error: { readonly message: string; readonly type: string; readonly code: string } | null;
  /** Its own and its sub-agents' tokens. */
  readonly usage: Usage;
  /**
   * USD for the same, each model call at the prices of the model that answered it; 0 where nobody knows them.
   */
  readonly cost: number;
  /** A model without known prices has answered; absent in records of before that was kept. */
  readonly lacksPrice?: boolean;
  /** Not every provider has counted the tokens; absent in records of before that was kept. */
  readonly isEstimated?: boolean;
  readonly pendingToolCallIds: readonly string[];
  /** What the endpoint that started the run stores with it; clients do not see it as it is. */
  readonly annotations?: JsonObject;
  /**
   * The W3C traceparent under which its spans belong: that of its request, or of the call that started a
   * sub-agent. Absent where it begins a trace, and where nothing is traced.
   */
  readonly trace?: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
}

/** Where a tool call stands. */
export type ToolStatus = "queued" | "running" | "userInputRequired" | "success" | "error";

/** A question to the person that blocks a tool call, and its answer. */
export interface ApprovalRecord {
  readonly id: string;
  readonly toolCallId: string;
  readonly runId: string | null;
  readonly conversationId: string;
  readonly kind: "approval" | "question";
  readonly tool: string;
  readonly operation: string;
  /** Secrets are redacted. */
  readonly arguments: JsonObject;
  readonly paths: readonly string[];
  readonly effect: Effect;
  readonly reason: string;
  /** A sub-agent asks: the tool family that started it. */
  readonly parentTool?: string;
  readonly prompt: string;
  readonly context: string | null;
  readonly authorizeOperation: string | null;
  readonly options: readonly string[];
  /** What the call would do; null for questions, absent in records of before there were previews. */
  readonly preview?: Preview | null;
  readonly status: "pending" | "answered" | "expired" | "cancelled";
  readonly decision: "approved" | "denied" | "text" | null;
  readonly answer: string | null;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly answeredAt: string | null;
  /** Whose run or call asks; absent in records of before that was kept. */
  readonly askedBy?: Pick<Caller, "kind" | "id" | "name">;
  /** Who answered; absent in records of before tokens, and where the host itself did. */
  readonly answeredBy?: Pick<Caller, "kind" | "id" | "name">;
  /** Debug calls only: the tool's result once it ran. */
  readonly result: JsonObject | null;
}

type CallHead = Omit<ToolCall, "arguments">;

/** What happens in a run, in order. Numbers of a run's events begin at 1 and have no gap. */
export type RunEvent =
  | { readonly type: "state"; readonly run: RunRecord }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  /** The model begins a call of the caller's own tool; its arguments follow as they come. */
  | { readonly type: "caller_call_begun"; readonly index: number; readonly call: CallHead }
  /** A piece of its arguments: of their JSON text, or of the text itself for a tool that takes free text. */
  | { readonly type: "caller_call_delta"; readonly index: number; readonly text: string }
  /** The call is whole, to be handed on. Where it has not begun before, it comes all at once. */
  | { readonly type: "caller_call"; readonly index: number; readonly call: ToolCall }
  | ToolEvent
  | { readonly type: "question"; readonly approval: ApprovalRecord }
  | { readonly type: "question_closed"; readonly approval: ApprovalRecord }
  | { readonly type: "title"; readonly title: string }
  | { readonly type: "limit_changed"; readonly maxIterations: number }
  | { readonly type: "end"; readonly outcome: RunOutcome };

/** A change in the state of a tool call. */
export interface ToolEvent {
  readonly type: "tool";
  readonly callId: string;
  readonly tool: string;
  readonly operation: string;
  readonly status: ToolStatus;
  readonly display: ToolDisplay;
  readonly details?: readonly string[];
  readonly parentTool?: string;
  readonly metadata?: JsonObject;
}

/** What happened in a run, and what is still to happen if this host works on it. */
export interface RunLog {
  readonly id: string;
  readonly conversationId: string;
  readonly record: RunRecord;
  /** Who answers, as far as it is known. */
  readonly model: Pick<ModelDetails, "modelId">;
  /** Events so far. */
  readonly count: number;
  /**
   * Of these, the ones that an earlier start of the service has stored; later ones may have been lost with
   * it, and their numbers given anew.
   */
  readonly restored: number;
  /**
   * All events after number `after` (0 = from the start), then live ones, to the end. `tooSlow` is called
   * when more than 8 MiB of live ones wait to be read: the reader is to be cut off.
   */
  events(
    after?: number,
    tooSlow?: () => void,
  ): AsyncIterable<{ readonly number: number; readonly event: RunEvent }>;
}

/** A run that this host works on, or has just ended. */
export interface LiveRun extends RunLog {
  readonly request: RunRequest;
  readonly model: ModelDetails;
  /** Estimated tokens of the first call that a model has answered here; undefined before it. */
  readonly sentTokens?: number | undefined;
  /**
   * Resolves at the first sign of life: from the provider for a client that wants a stream, from a tool for
   * one that does not. Rejects with AppError when the run fails before it.
   */
  readonly firstActivity: Promise<void>;
  /** Adds a line to its text that says what it waits for and where to answer; gives that line. */
  announceWaiting?(): string;
  /** Resolves when everything is stored; never rejects. */
  readonly done: Promise<RunOutcome>;
  /**
   * Makes the run durable before its first sign of life (an answer's headers went out, or it goes on in the
   * background).
   */
  admit(): Promise<void>;
  cancel(): void;
}
