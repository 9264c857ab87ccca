import type { Message } from "@pergola/sdk";
import { EntryMaker, entriesOf, type Entry } from "./entries.ts";

/** Messages read at a time. */
const pageSize = 200;

/** Reads the newest messages between two numbers, exclusive. */
export type ReadPage = (page: {
  readonly limit: number;
  readonly after: number;
  readonly before: number;
}) => Promise<readonly Message[]>;

/**
 * How far back a thread is read: until so many tokens or visible turns are exceeded (0 turns = any number).
 */
export interface Reach {
  readonly tokens: number;
  readonly turns: number;
}

/** About the bytes of the objects that stand for a message, without its texts. */
const messageOverhead = 600;

/** About the bytes of a message and of the JSON that a provider makes of it. */
function sizeOfMessage({ content, ...rest }: Message): number {
  const { contentParts, toolCalls, extra, reasoningContent, streamedText } = rest;
  const others = [contentParts, toolCalls, extra, reasoningContent, streamedText];
  const length = JSON.stringify(others.filter((part) => part !== undefined)).length;
  return messageOverhead + 2 * ((content ?? "").length + length);
}

const sizeOf = (entries: readonly Entry[]): number =>
  entries.reduce((sum, { stored }) => sum + sizeOfMessage(stored), 0);

/** The newest messages of a thread; `hasMore` where there are others before them. */
export interface Newest {
  readonly entries: readonly Entry[];
  readonly hasMore: boolean;
}

/**
 * The messages of a branch, read back from its end as far as somebody wanted to see them. What was read once
 * is not read again, and stays the same objects: what others remember of these stays good.
 */
export class Thread {
  #maker = new EntryMaker();
  #entries: Entry[] = [];
  /** All messages behind this number are there. */
  #from: number;
  /** Pages were read whose answers may belong to calls of the pages before them. */
  #isTorn = false;
  #size = 0;

  /** `from`: 0 where there are no messages yet. */
  constructor(from = Number.MAX_SAFE_INTEGER) {
    this.#from = from;
  }

  /** How many messages were read. */
  get length(): number {
    return this.#entries.length;
  }

  /** About its bytes. */
  get size(): number {
    return this.#size;
  }

  /** Adds messages behind the last one. */
  add(messages: readonly Message[]): readonly Entry[] {
    const entries = this.#maker.make(messages);
    this.#size += sizeOf(entries);
    this.#entries.push(...entries);
    return entries;
  }

  /** The newest messages behind a number, as far as the reach goes. */
  async newest(after: number, { tokens, turns }: Reach, read: ReadPage): Promise<Newest> {
    let [count, left, visible] = [0, tokens, 0];
    for (;;) {
      for (let entry = this.#entries.at(-1 - count); entry; entry = this.#entries.at(-1 - count)) {
        if (entry.stored.seq <= after) this.#forget(this.#entries.length - count, after);
        if (entry.stored.seq <= after) break;
        left -= entry.tokens;
        if (entry.stored.visible) visible++;
        if ((left < 0 && count > 0) || (turns > 0 && visible > turns)) return this.#last(count, true);
        count++;
      }
      if (this.#from <= after) return this.#last(count, false);
      await this.#readMore(after, read);
    }
  }

  #last(count: number, hasMore: boolean): Newest {
    if (this.#isTorn) {
      this.#maker = new EntryMaker();
      this.#entries = [...this.#maker.makeAgain(this.#entries)];
      this.#isTorn = false;
    }
    return { entries: this.#entries.slice(this.#entries.length - count), hasMore };
  }

  async #readMore(after: number, read: ReadPage): Promise<void> {
    const before = this.#entries[0]?.stored.seq ?? Number.MAX_SAFE_INTEGER;
    const page = entriesOf(await read({ limit: pageSize, after, before }));
    this.#from = page.length < pageSize ? after : page[0]!.stored.seq - 1;
    this.#entries = [...page, ...this.#entries];
    this.#isTorn = true;
    this.#size += sizeOf(page);
  }

  /** What a summary stands for is not read any more. */
  #forget(count: number, from: number): void {
    this.#size -= sizeOf(this.#entries.splice(0, count));
    this.#from = from;
  }
}
