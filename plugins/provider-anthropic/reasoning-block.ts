import { stringOf, type JsonObject } from "@pergola/sdk";
import { objectsOf, type Fields } from "@pergola/kit-provider";

/** A block of thinking as the vendor signed it; it is only good as a whole. */
export type ReasoningBlock =
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | { readonly type: "redacted_thinking"; readonly data: string };

/** The block as a list of one; an empty list for a block that is not signed, or another vendor's. */
export function readReasoningBlock(block: Fields): readonly ReasoningBlock[] {
  const { type, thinking } = block;
  const data = stringOf(block["data"]);
  const signature = stringOf(block["signature"]);
  if (type === "redacted_thinking" && data !== "") return [{ type, data }];
  if (type !== "thinking" || typeof thinking !== "string" || signature === "") return [];
  return [{ type, thinking, signature }];
}

/** The blocks in a message's `extra.reasoning_blocks`; those of other vendors are passed over. */
export const reasoningBlocks = (extra: JsonObject | undefined): readonly ReasoningBlock[] =>
  objectsOf(extra?.["reasoning_blocks"]).flatMap(readReasoningBlock);
