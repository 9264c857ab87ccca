export interface Chunk {
  readonly id?: string;
  readonly conversation_id?: string;
  readonly run_id?: string;
  readonly choices?: readonly {
    readonly delta: { readonly content?: string; readonly reasoning_content?: string };
    readonly finish_reason: string | null;
  }[];
  readonly isToolMessage?: boolean;
  readonly toolExecutionId?: string;
  readonly toolName?: string;
  readonly toolOperation?: string;
  readonly toolStatus?: string;
  readonly toolDisplayData?: { readonly summary: string };
  readonly toolDetails?: readonly string[];
  readonly toolMetadata?: { readonly duration_ms?: number; readonly error_code?: string | null };
  readonly event?: Question | { readonly type: "title" | "limit_changed" | "user_input_resolved" };
  readonly error?: { readonly message: string; readonly code: string };
  readonly service_metadata?: Metadata;
}

export interface Question {
  readonly type: "user_input_required";
  readonly toolCallId: string;
  readonly kind: "approval" | "question";
  readonly prompt: string;
  readonly context: string | null;
  readonly tool: string;
  readonly operation: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly paths: readonly string[];
  readonly options: readonly string[];
  readonly authorize_operation: string | null;
}

export interface Metadata {
  readonly workflow: {
    readonly iterations: number;
    readonly tool_call_count: number;
    readonly duration_seconds: number;
    readonly completion_reason: string;
  };
  readonly conversation_id: string;
  readonly run_id: string;
  readonly warnings: readonly string[];
}

/** The chunks of a chat stream, to `[DONE]`. */
export async function* readEvents(answer: Response): AsyncIterable<Chunk> {
  let held = "";
  const decoder = new TextDecoder();
  for await (const bytes of answer.body as unknown as AsyncIterable<Uint8Array>) {
    held += decoder.decode(bytes, { stream: true });
    const blocks = held.split("\n\n");
    held = blocks.pop() ?? "";
    for (const block of blocks) {
      const data = block.startsWith("data: ") ? block.slice(6) : "[DONE]";
      if (data !== "[DONE]") yield JSON.parse(data) as Chunk;
    }
  }
}
