import { isDeepStrictEqual } from "node:util";
import type { ChatMessage, ModelCall } from "../contract/provider.ts";
import { lastUserIndex } from "../provider/last-user-index.ts";

/**
 * Where a run has put a block: at the message that was the user's newest at its first call, or at the one at
 * `index`. It stays there when the run adds messages, so that the beginning of each call equals the one
 * before.
 */
export class BlockPlace {
  readonly index: number;
  readonly #message: ChatMessage | undefined;

  constructor({ messages }: Pick<ModelCall, "messages">, index: number = lastUserIndex(messages)) {
    this.index = index;
    this.#message = messages[index];
  }

  /** False where the call begins otherwise, since old messages were left out. */
  isIn({ messages }: Pick<ModelCall, "messages">): boolean {
    const message = messages[this.index];
    return message !== undefined && isSame(message, this.#message);
  }
}

/** Whether two messages say the same. */
export const isSame = (
  message: ChatMessage,
  other: Pick<ChatMessage, "role" | "content"> | undefined,
): boolean => message.role === other?.role && isDeepStrictEqual(message.content, other.content);
