import { defined, wireUsage, type FinishReason, type ToolCall, type Usage } from "@pergola/sdk";
import { metadataFields, wireCall, type ChunkIdentity } from "./chunks.ts";

/** What a `chat.completion` object is made of. */
export interface Completion extends ChunkIdentity {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  /** Empty where the client gets none. */
  readonly reasoning: string;
  readonly finishReason: FinishReason;
  readonly usage: Usage;
  readonly metadata: object;
  readonly legacyMetadata: boolean;
}

function messageOf({ text, calls, reasoning }: Completion) {
  const message = { role: "assistant", content: text, reasoning_content: reasoning || undefined };
  if (calls.length === 0) return defined(message);
  return defined({ ...message, content: text || null, tool_calls: calls.map(wireCall) });
}

/** The `chat.completion` object. */
export const wireCompletion = (completion: Completion) => ({
  id: completion.id,
  object: "chat.completion",
  created: completion.created,
  model: completion.model,
  choices: [{ index: 0, message: messageOf(completion), finish_reason: completion.finishReason }],
  usage: wireUsage(completion.usage),
  ...metadataFields(completion.metadata, completion.legacyMetadata),
});
