import type { Preview } from "@pergola/sdk/host";

export interface Chunk {
  readonly conversation_id?: string;
  readonly run_id?: string;
  readonly choices?: readonly { readonly delta: { readonly content?: string } }[];
  readonly isToolMessage?: boolean;
  readonly toolName?: string;
  readonly toolOperation?: string;
  readonly toolStatus?: string;
  readonly toolDisplayData?: { readonly summary: string };
  readonly toolDetails?: readonly string[];
  readonly toolMetadata?: { readonly duration_ms?: number; readonly error_code?: string | null };
  readonly event?: Question | Notice;
  readonly error?: { readonly message: string; readonly code: string };
  readonly service_metadata?: Metadata;
}

export interface Question {
  readonly type: "user_input_required";
  readonly toolCallId: string;
  readonly approvalId?: string;
  readonly kind: "approval" | "question";
  readonly prompt: string;
  readonly context: string | null;
  readonly tool: string;
  readonly operation: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly paths: readonly string[];
  readonly options: readonly string[];
  readonly authorize_operation: string | null;
  /** Without the lines of files in an event and in lists; absent from services of before there were any. */
  readonly preview?: Preview | null;
}

interface Notice {
  readonly type: "user_input_resolved" | "title" | "limit_changed";
  readonly toolCallId?: string;
}

export interface Metadata {
  /** What the person should know of the answer. */
  readonly warnings?: readonly string[];
  readonly workflow: {
    readonly iterations: number;
    readonly tool_call_count: number;
    readonly duration_seconds: number;
    readonly completion_reason: string;
  };
}

/**
 * What the events of a stream carry, to `[DONE]` or its end: the chunks of a chat stream, unless it is
 * another. Pings are left out.
 */
export async function* readEvents<T = Chunk>(answer: {
  readonly body: AsyncIterable<Uint8Array>;
}): AsyncIterable<T> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const bytes of answer.body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    const data = lines.filter((line) => line.startsWith("data: ")).map((line) => line.slice("data: ".length));
    for (const text of data) if (text !== "[DONE]") yield JSON.parse(text) as T;
  }
}
