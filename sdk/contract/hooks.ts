import type { CheckedPath } from "./context.ts";
import type { Conversation } from "./conversation.ts";
import type { ChatMessage, FinishReason, ModelCall, Sampling, ToolCall, Usage } from "./provider.ts";
import type { ApprovalRecord, Caller, RunRecord, RunRequest } from "./run.ts";
import type { ModelDetails, RunOutcome } from "./run-outcome.ts";
import type { Effect, OfferedTool, Place, Tool, ToolResult } from "./tool.ts";
import type { Awaitable, JsonObject } from "../util/json.ts";

type Maybe<T> = Awaitable<T | undefined>;

/** A tool call that is checked and about to be decided on. */
export interface PendingCall {
  readonly id: string;
  readonly tool: string;
  readonly operation: string;
  readonly arguments: JsonObject;
  readonly effect: Effect;
  readonly place: Place;
  /** Every path the call touches, resolved. */
  readonly paths: readonly (CheckedPath & { readonly effect: Effect })[];
  readonly urls: readonly string[];
  /** Its result may hold words of others: of the network, an MCP server, a document. */
  readonly fromOutside?: boolean;
  readonly workingDirectory: string;
  /**
   * A folder in which nothing may be changed, whoever agrees: that of a topic which the conversation may only
   * read.
   */
  readonly readOnly?: CheckedPath;
  readonly plugin: { readonly id: string; readonly version: string };
}

/** Where a tool call comes from. */
export interface CallContext {
  readonly conversationId: string;
  readonly runId: string | null;
  /** The runs that led here, the first one first: a sub-agent's after that which started it. */
  readonly lineage?: readonly string[];
  /** Whose person is asked: for a sub-agent the conversation of the first run. */
  readonly personsConversationId?: string;
  /** A person on this computer made the call by hand. */
  readonly userInitiated: boolean;
  readonly caller: Caller;
  readonly signal: AbortSignal;
  /** As `RunRecord` has it; of a call outside runs as `HandCall` has it. */
  readonly trace?: string;
}

/** What a policy decides about a tool call. */
export type Verdict =
  | { readonly decision: "allow" }
  /** `reason` is shown to the person. */
  | { readonly decision: "ask"; readonly reason: string }
  /** `message` is shown to the model. */
  | { readonly decision: "deny"; readonly code: string; readonly message: string };

/** A run's conversation with the model before the first call. `system` is byte-equal from call to call. */
export interface Chat {
  readonly system: readonly string[];
  readonly tools: readonly OfferedTool[];
  readonly sampling: Sampling;
}

/** The run that is about to call a model, as shaping hooks see it. */
export interface RunContext {
  readonly runId: string;
  readonly request: RunRequest;
  readonly conversation: Conversation;
  /** The conversation began with this run: nothing was stored of it before. */
  readonly isNew?: boolean;
  readonly scope: string;
  readonly workingDirectory: string;
  readonly model: ModelDetails;
  readonly iteration: number;
  readonly maxIterations: number;
  readonly signal: AbortSignal;
  /** The W3C traceparent below which the spans of what is done for the run belong. */
  readonly trace?: string;
  /** Goes into the answer's `warnings`. */
  warn(text: string): void;
  /** Names a memory that is put before the model, in the answer's metadata and on its message. */
  useMemory(memory: NonNullable<RunOutcome["memories"]>[number]): void;
  /**
   * Says how many estimated tokens of a call are of one kind; what is said last of a kind holds. `id`: of the
   * kept text that it is.
   */
  usePart(part: {
    readonly kind: "personality" | "memories" | "system";
    readonly tokens: number;
    readonly id?: string | undefined;
  }): void;
}

/** Takes the tool families that a plugin finds while it starts, as a bridge does. */
export interface ToolRegistry {
  /** A family under its wire name; a name that is taken is an error. */
  add(tool: Tool): void;
}

/** A finished model call, for metrics and audit. */
export interface ModelCallSummary {
  readonly runId: string;
  readonly conversationId: string;
  readonly model: ModelDetails;
  readonly usage: Usage;
  /** Milliseconds. */
  readonly duration: number;
  readonly error: string | null;
  /** Of docs/errors.md; absent where it did not fail. */
  readonly errorCode?: string;
  /** Milliseconds since 1970. */
  readonly startedAt?: number;
  /** Milliseconds from its start to the first piece of the answer; absent where none came. */
  readonly firstChunk?: number;
  /** Absent where the answer did not come to its end. */
  readonly finishReason?: FinishReason;
  /** The model that answered, by the name that its provider gave; absent where it gave none. */
  readonly responseModel?: string;
  /** As `RunRecord` has it. */
  readonly trace?: string;
  /** What was asked and answered; not for plugins in processes of their own. */
  readonly content?: () => ModelCallContent;
}

/** What a model was asked, and its answer. */
export interface ModelCallContent {
  readonly messages: readonly ChatMessage[];
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly ToolCall[];
}

/** A finished tool call, for metrics and audit. */
export interface ToolCallSummary {
  readonly call: PendingCall;
  readonly context: CallContext;
  readonly result: ToolResult;
  /** Milliseconds, waiting for the person left out. */
  readonly duration: number;
}

/** What a proved or unproved request to the door looks like to `authenticate`. */
export interface DoorRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The client's canonical address. */
  readonly address: string;
  /** What limits count by: an IPv4 address, or the network of an IPv6 address. */
  readonly place: string;
  /** On this computer, and not through a proxy. */
  readonly local: boolean;
  readonly secure: boolean;
  /** The one token that it brings. */
  readonly token?: string;
  /** Cookie and page key of a signed-in browser. */
  readonly session?: { readonly cookie: string; readonly key: string };
}

/** Every hook: its name's first word fixes its class (docs/hooks.md). */
export interface Hooks {
  collectTools(registry: ToolRegistry): Awaitable<void>;
  authenticate(request: DoorRequest): Maybe<Caller>;
  /** The id of another model to use instead. */
  resolveModel(model: string): Maybe<string>;
  authorizeToolCall(call: PendingCall, context: CallContext): Maybe<Verdict>;
  shapeChat(chat: Chat, context: RunContext): Awaitable<Chat>;
  shapeModelCall(call: ModelCall, context: RunContext): Awaitable<ModelCall>;
  shapeToolResult(result: ToolResult, call: PendingCall, context: CallContext): Awaitable<ToolResult>;
  toolCallEnded(summary: ToolCallSummary): Awaitable<void>;
  modelCallEnded(summary: ModelCallSummary): Awaitable<void>;
  runEnded(run: RunRecord): Awaitable<void>;
  /** A question to the person is stored; once for each. */
  approvalRequested(approval: ApprovalRecord): Awaitable<void>;
  /** A conversation was deleted; what others keep for it goes too. */
  conversationEnded(conversationId: string): Awaitable<void>;
}

/** The name of a hook. */
export type HookName = keyof Hooks;
