import type { Preview } from "@pergola/sdk/host";

/** The running service, as the command that serves an editor reaches it. Failures are AppErrors. */
export interface Service {
  /** Whether the editor's folders may be those of another computer: the service was named by its address. */
  readonly isElsewhere: boolean;
  /** The JSON of an answer. */
  send<T>(method: string, path: string, body?: object): Promise<T>;
  /** The chunks of a streamed answer to a POST. */
  stream(path: string, body: object, signal: AbortSignal): AsyncIterable<Chunk>;
}

/** What the bridge reads of a chunk of a chat stream. */
export interface Chunk {
  readonly run_id?: string;
  readonly choices?: readonly {
    readonly delta: Delta;
    readonly finish_reason?: string | null;
  }[];
  readonly isToolMessage?: boolean;
  readonly toolExecutionId?: string;
  readonly toolName?: string;
  readonly toolOperation?: string;
  readonly toolStatus?: ToolStatus;
  readonly toolDisplayData?: { readonly summary: string };
  readonly toolDetails?: readonly string[];
  readonly event?: Question | Resolved | Titled;
  readonly error?: { readonly message: string; readonly code: string };
  readonly service_metadata?: {
    /** What the person should know of the answer. */
    readonly warnings?: readonly string[];
    readonly workflow: { readonly completion_reason: string };
  };
}

export type ToolStatus = "queued" | "running" | "userInputRequired" | "success" | "error";

interface Delta {
  readonly content?: string | null;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly CallPiece[];
}

/** A piece of a call of a tool that the bridge has offered. */
export interface CallPiece {
  readonly index: number;
  readonly id?: string;
  readonly function?: { readonly name?: string; readonly arguments?: string };
}

/** What a call waits for. */
export interface Question {
  readonly type: "user_input_required";
  readonly toolCallId: string;
  readonly approvalId: string;
  readonly kind: "approval" | "question";
  readonly prompt: string;
  readonly context: string | null;
  readonly tool: string;
  readonly operation: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly paths: readonly string[];
  readonly options: readonly string[];
  readonly preview?: Preview | null;
}

interface Resolved {
  readonly type: "user_input_resolved";
  readonly toolCallId: string;
}

interface Titled {
  readonly type: "title";
  readonly title: string;
}

/** A conversation as the service keeps it. */
export interface Conversation {
  readonly id: string;
  readonly title: string;
  readonly updated: string;
  readonly model: string | null;
  readonly workingDirectory: string | null;
  /** In no list. */
  readonly hidden: boolean;
  readonly messages: readonly StoredMessage[];
  readonly settings: {
    readonly enableReasoning: boolean | null;
    readonly thinkingEffort: string | null;
    readonly toolOverrides: Readonly<Record<string, boolean>> | null;
  };
}

export interface StoredMessage {
  readonly id: string;
  readonly role: string;
  readonly timestamp: string;
  readonly content: unknown;
  readonly reasoningContent?: string | null;
  readonly toolCalls?: readonly { readonly id: string; readonly function: { readonly arguments: string } }[];
  readonly toolCallId?: string | null;
  readonly toolName?: string | null;
  readonly toolOperation?: string | null;
  readonly toolStatus?: ToolStatus | null;
  readonly toolDisplayData?: { readonly summary: string } | null;
  readonly toolDetails?: readonly string[] | null;
}

export const conversationPath = (id: string): string => `/v1/conversations/${encodeURIComponent(id)}`;
