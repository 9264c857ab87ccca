import type { RunContext } from "../contract/hooks.ts";
import type { ChatMessage, ModelCall } from "../contract/provider.ts";
import { messageWithBlock } from "../provider/add-block.ts";
import { estimateTokens, textTokens } from "../provider/estimate-tokens.ts";
import { isSame } from "./block-place.ts";

/** Milliseconds for which some providers keep what they have read, when it is used again meanwhile. */
const cacheLife = 60 * 60_000;
/** Tokens of the least context that has room for blocks of earlier messages. */
const leastContext = 8192;
/** The share of a model's context that these may take, and all of a call with them. */
const share = { blocks: 1 / 8, call: 1 / 2 };
/** Conversations of which blocks are known. */
const mostConversations = 500;

/** A block, and the place of its message in the call. */
export interface PlacedBlock {
  readonly text: string;
  readonly index: number;
}

type Scene = {
  readonly conversation: Pick<RunContext["conversation"], "id">;
  readonly model: Pick<RunContext["model"], "contextWindow">;
};

interface Sent extends PlacedBlock {
  /** Its message, without it. */
  readonly message: ChatMessage;
}

interface Known {
  readonly basis: string;
  readonly blocks: readonly Sent[];
  readonly usedAt: number;
}

/**
 * The blocks that a plugin has put behind messages of the person. Those of earlier messages are sent again
 * where they stood, so that each call begins with all that the one before held, and a provider reads it from
 * its cache. They are left out once no cache can hold them, where the history was changed, and where they
 * take too much of the context.
 */
export class SentBlocks {
  readonly #now: () => number;
  /** By conversation, the least recently used first. */
  readonly #known = new Map<string, Known>();
  /** Messages with their blocks, by those without. */
  readonly #made = new WeakMap<ChatMessage, Pick<Sent, "message" | "text">>();

  /** `now`: milliseconds since 1970. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * The call with these blocks of its run at their messages, the first of them first, and the earlier ones at
   * theirs. A block without a text is none. Earlier ones that were made on another `basis` do not hold any
   * more.
   */
  addTo(call: ModelCall, blocks: readonly PlacedBlock[], scene: Scene, basis = ""): ModelCall {
    if (call.raw !== undefined) return call;
    const newest = blocks.flatMap(({ text, index }) => {
      const message = call.messages[index];
      return text === "" || message === undefined ? [] : [{ text, index, message }];
    });
    const { id } = scene.conversation;
    const known = this.#known.get(id);
    const index = blocks[0]?.index ?? 0;
    const earlier = known?.basis === basis ? this.#earlier(known, { call, index }, scene) : [];
    const all = [...earlier, ...newest];
    this.#note(id, { basis, blocks: all, usedAt: this.#now() });
    if (all.length === 0) return call;
    const messages = [...call.messages];
    for (const block of all)
      messages[block.index] = this.#withBlock(messages[block.index] as ChatMessage, block.text);
    return { ...call, messages };
  }

  /** The same message for the same block, so that what others keep of it stays good. */
  #withBlock(message: ChatMessage, text: string): ChatMessage {
    const known = this.#made.get(message);
    if (known?.text === text) return known.message;
    const longer = messageWithBlock(message, text);
    this.#made.set(message, { text, message: longer });
    return longer;
  }

  /** Those whose messages stand before this place of the call, in their order. */
  #earlier(
    { blocks, usedAt }: Known,
    { call, index }: { readonly call: ModelCall; readonly index: number },
    { model }: Scene,
  ): readonly Sent[] {
    const { contextWindow } = model;
    if (contextWindow < leastContext || this.#now() - usedAt > cacheLife) return [];
    const found = placesOf(blocks, call.messages, index);
    if (found.length === 0) return [];
    const size = found.reduce((sum, { text }) => sum + textTokens(text), 0);
    const whole = size + estimateTokens(call);
    return size <= share.blocks * contextWindow && whole <= share.call * contextWindow ? found : [];
  }

  /** Estimated tokens of the blocks that the last call of a conversation was given. */
  tokens(conversationId: string): number {
    const blocks = this.#known.get(conversationId)?.blocks ?? [];
    return blocks.reduce((sum, { text }) => sum + textTokens(text), 0);
  }

  #note(conversationId: string, known: Known): void {
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size >= mostConversations) this.#known.delete(oldest);
    this.#known.delete(conversationId);
    this.#known.set(conversationId, known);
  }

  delete(conversationId: string): void {
    this.#known.delete(conversationId);
  }
}

/** Up to the first whose message is not there, before the place `end`. Most stand where they stood. */
function placesOf(blocks: readonly Sent[], messages: readonly ChatMessage[], end: number): readonly Sent[] {
  const placed: Sent[] = [];
  let from = 0;
  for (const block of blocks) {
    const isThere = (at: number): boolean =>
      at >= from && at < end && isSame(messages[at] as ChatMessage, block.message);
    let index = isThere(block.index) ? block.index : from;
    while (index < end && !isThere(index)) index += 1;
    if (index >= end) break;
    placed.push({ ...block, index });
    from = index + 1;
  }
  return placed;
}
