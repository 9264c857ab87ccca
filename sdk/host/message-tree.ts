import type { Branch, Conversation, Message } from "../contract/conversation.ts";
import { defined } from "../util/defined.ts";

/** Sorts messages that know their parents into branches, in the order of their numbers. */
export class MessageTree {
  readonly #branches: Branch[] = [];
  readonly #places = new Map<string, { readonly branch: number; readonly seq: number }>();
  /** The branches by their last messages. */
  readonly #ends = new Map<string, number>();

  /** The message with its parent and its branch. A parent that was not added counts as none. */
  add(message: Message, parentMessageId: string | null): Message {
    const { branch: _, ...rest } = message;
    const parent = this.#places.get(parentMessageId ?? "");
    const branch = this.#branchBelow(parentMessageId ?? "");
    this.#places.set(message.id, { branch, seq: message.seq });
    this.#ends.set(message.id, branch);
    return {
      ...rest,
      parentMessageId: parent === undefined ? null : parentMessageId,
      ...defined({ branch: branch || undefined }),
    };
  }

  #branchBelow(parentMessageId: string): number {
    const end = this.#ends.get(parentMessageId);
    if (this.#ends.delete(parentMessageId) && end !== undefined) return end;
    if (this.#places.size === 0) return 0;
    const { branch = null, seq = 0 } = this.#places.get(parentMessageId) ?? {};
    this.#branches.push({ parent: branch, after: seq });
    return this.#branches.length;
  }

  /** What the conversation knows of its branches when the one that ends with a message is active. */
  fields(
    activeMessageId: string | null,
  ): Pick<Conversation, "branches" | "activeBranch" | "activeMessageId"> {
    return {
      branches: this.#branches,
      activeBranch: this.#ends.get(activeMessageId ?? "") ?? 0,
      activeMessageId,
    };
  }
}
