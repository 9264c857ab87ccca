import type { JsonObject } from "@pergola/sdk";

/** A block of thinking as the vendor signed it; it is only good as a whole. */
export type ReasoningBlock =
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | { readonly type: "redacted_thinking"; readonly data: string };

const isText = (value: unknown): value is string => typeof value === "string";

function blockOf(value: unknown): ReasoningBlock | undefined {
  const { type, thinking, signature, data } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (type === "redacted_thinking" && isText(data) && data !== "") return { type, data };
  if (type === "thinking" && isText(thinking) && isText(signature) && signature !== "")
    return { type, thinking, signature };
  return undefined;
}

/** The blocks in a message's `extra.reasoning_blocks`; those of other vendors are passed over. */
export function reasoningBlocks(extra: JsonObject | undefined): readonly ReasoningBlock[] {
  const blocks = extra?.["reasoning_blocks"];
  return Array.isArray(blocks)
    ? (blocks as readonly unknown[]).map(blockOf).filter((block) => block !== undefined)
    : [];
}
