import { isDeepStrictEqual } from "node:util";
import type { ChatMessage, ModelCall } from "../contract/provider.ts";
import { lastUserIndex } from "../provider/last-user-index.ts";

/**
 * Where a run has put a block: at the message that was the user's newest at its first call. It stays there
 * when the run adds messages, so that the beginning of each call equals the one before.
 */
export class BlockPlace {
  readonly index: number;
  readonly #content: ChatMessage["content"] | undefined;

  constructor({ messages }: Pick<ModelCall, "messages">) {
    this.index = lastUserIndex(messages);
    this.#content = messages[this.index]?.content;
  }

  /** False where the call begins otherwise, since old messages were left out. */
  isIn({ messages }: Pick<ModelCall, "messages">): boolean {
    const message = messages[this.index];
    return message?.role === "user" && isDeepStrictEqual(message.content, this.#content);
  }
}
