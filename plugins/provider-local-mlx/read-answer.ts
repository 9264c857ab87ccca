import type { FinishReason, ModelEvent } from "@pergola/sdk";
import { failure } from "./mlx-server.ts";

interface Chunk {
  readonly choices?: readonly {
    readonly finish_reason?: string | null;
    readonly delta?: {
      readonly content?: string | null;
      readonly reasoning?: string | null;
      readonly tool_calls?: readonly {
        readonly id?: string;
        readonly function?: { readonly name?: string; readonly arguments?: string };
      }[];
    };
  }[];
  readonly usage?: {
    readonly prompt_tokens: number;
    readonly completion_tokens: number;
    readonly prompt_tokens_details?: { readonly cached_tokens?: number };
  } | null;
  readonly error?: unknown;
}

const reasons: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  length: "length",
  tool_calls: "tool_calls",
};

/** The lines of a stream of bytes; characters are never split. */
async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let held = "";
  for await (const bytes of body) {
    const lines = (held + decoder.decode(bytes, { stream: true })).split(/\r?\n/);
    held = lines.pop() ?? "";
    if (held.length > 2 ** 24) throw failure("mlx_lm.server sent a line without end.");
    yield* lines;
  }
  yield held + decoder.decode();
}

/** What the server's stream tells. Rejects with `provider_error` when it ends in the middle. */
export async function* readAnswer(body: AsyncIterable<Uint8Array>): AsyncGenerator<ModelEvent> {
  let reason: FinishReason | undefined;
  let calls = 0;
  for await (const line of linesOf(body)) {
    const chunk = chunkOf(line);
    if (chunk?.error !== undefined)
      throw failure(`mlx_lm.server failed: ${JSON.stringify(chunk.error).slice(0, 300)}`);
    const [choice] = chunk?.choices ?? [];
    const { content, reasoning, tool_calls: called = [] } = choice?.delta ?? {};
    if (reasoning) yield { type: "reasoning", text: reasoning };
    if (content) yield { type: "text", text: content };
    for (const { id, function: { name = "", arguments: args = "{}" } = {} } of called)
      yield { type: "tool_call", index: calls++, ...(id ? { id } : {}), name, arguments: args };
    if (choice?.finish_reason) reason = calls > 0 ? "tool_calls" : (reasons[choice.finish_reason] ?? "stop");
    if (chunk?.usage) yield { type: "usage", usage: usageOf(chunk.usage) };
  }
  if (reason === undefined) throw failure("mlx_lm.server ended its answer in the middle.");
  yield { type: "end", reason };
}

function usageOf({
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  prompt_tokens_details: details,
}: NonNullable<Chunk["usage"]>) {
  return {
    promptTokens,
    completionTokens,
    ...(details?.cached_tokens === undefined ? {} : { cachedTokens: details.cached_tokens }),
  };
}

function chunkOf(line: string): Chunk | undefined {
  if (!line.startsWith("data:") || line.slice(5).trim() === "[DONE]") return undefined;
  try {
    return JSON.parse(line.slice(5)) as Chunk;
  } catch {
    throw failure("mlx_lm.server sent something that is not JSON.");
  }
}
