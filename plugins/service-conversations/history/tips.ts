import { createHash } from "node:crypto";
import type { ChatMessage, Collection, Conversation, Entity, Message, RunRequest, Write } from "@pergola/sdk";
import { messageText, type Parts } from "@pergola/sdk/host";
import { readBranch, spansOf, type Span } from "./branches.ts";
import { historyOf, continues } from "./place-request.ts";
import { turnsOf } from "./turns.ts";

const collection = "service-conversations/tips";

/** The end of a branch that clients which send no conversation id continue. */
interface Tip extends Entity {
  readonly conversationId: string;
  readonly branch: number;
  /** Of what the person says on the branch. */
  readonly digest: string;
  /** Who began the conversation. */
  readonly caller: string;
  readonly updated: string;
}

/** The branch that a request without a conversation id continues. */
export type Continued = Pick<Tip, "conversationId" | "branch">;

/** Tips of one digest that are looked at; messages read for each one of a request, and beyond. */
const [mostTips, perMessage, margin] = [20, 20, 200];

/** White space that is not one space already. */
const irregular = /[^\S ]\s*| \s+/g;

const digestOf = (messages: readonly ChatMessage[]): string => {
  const hash = createHash("sha256");
  for (const message of messages)
    if (message.role === "user")
      hash.update(`${messageText(message).normalize("NFC").replaceAll(irregular, " ").trim()}\0`);
  return hash.digest("base64url");
};

/** Finds the conversation that a client goes on with when it sends its whole history and no id. */
export class Tips {
  readonly #parts: Parts;
  readonly #tips: Collection<Tip>;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#tips = parts.stores.storage.collection<Tip>(collection, {
      indexes: [["digest", "updated"], "conversationId"],
    });
  }

  async find({ messages, caller }: RunRequest): Promise<Continued | undefined> {
    const sent = historyOf(messages);
    const reply = sent.findLastIndex(({ role }) => role === "assistant");
    if (reply < 1) return undefined;
    const digest = digestOf(sent.slice(0, reply));
    const tips = await this.#tips.find({ digest }, { order: "-updated", limit: mostTips });
    for (const tip of tips) {
      if (tip.caller === caller.id && (await this.#isContinued(tip, sent))) return tip;
    }
    return undefined;
  }

  async #isContinued({ conversationId, branch }: Tip, sent: readonly ChatMessage[]): Promise<boolean> {
    const conversation = await this.#parts.conversations.find(conversationId);
    if (conversation === undefined) return false;
    const stored = await this.#branch(conversation, spansOf(conversation, branch), sent.length);
    return continues(sent, turnsOf(stored));
  }

  /** All messages of a branch, unless it has far more than the client sent. */
  #branch({ id }: Conversation, spans: readonly Span[], count: number): Promise<readonly Message[]> {
    return readBranch(this.#parts.stores.messages, id, spans, { limit: perMessage * count + margin });
  }

  /** The write that lets a client find the active branch of a conversation by the history that it sent. */
  write({ id, activeBranch = 0 }: Conversation, { messages, caller }: RunRequest): Write {
    const put: Tip = {
      id: `${id}-${activeBranch}`,
      conversationId: id,
      branch: activeBranch,
      digest: digestOf(historyOf(messages)),
      caller: caller.id,
      updated: this.#parts.timestamp(),
    };
    return { collection, put };
  }
}

export const forgettingTips = (conversationId: string): Write => ({
  collection,
  deleteWhere: { conversationId },
});
