import type { Conversation, Message, Storage } from "@pergola/sdk";
import type { Entry } from "./entries.ts";
import { Thread } from "./thread.ts";

interface Limits {
  /** Messages from which on a thread is kept: a shorter one is read as fast as it is looked up. */
  readonly fewest: number;
  /** Bytes of the threads that are kept. */
  readonly most: number;
  /** Bytes of the one that was used last: it is kept even where it takes more than `most`. */
  readonly largest: number;
}

const usual: Limits = { fewest: 32, most: 4 * 2 ** 20, largest: 64 * 2 ** 20 };

/** Ids of added messages that are remembered until the storage has announced them. */
const mostAwaited = 10_000;

/** Which messages the active branch of a conversation has: each has an id of its own. */
const markOf = ({ nextSeq, activeMessageId, activeBranch, branches }: Conversation): string =>
  JSON.stringify([nextSeq, activeMessageId, activeBranch, branches]);

interface OpenThread {
  readonly thread: Thread;
  /** No message was changed since it was read. */
  isGood: boolean;
}

interface KeptThread {
  readonly thread: Thread;
  readonly mark: string;
}

/**
 * The threads of the conversations in which runs are at work, and of those in which runs worked last. A kept
 * one is used again if the conversation still ends as it did then, and nobody has changed a message since:
 * messages may only be added, and only here.
 */
export class Threads {
  readonly #limits: Limits;
  readonly #open = new Map<string, OpenThread>();
  /** The one that was used last is the last. */
  readonly #kept = new Map<string, KeptThread>();
  readonly #awaited = new Set<string>();
  #size = 0;

  constructor(storage: Pick<Storage, "watch">, limits: Partial<Limits> = {}) {
    this.#limits = { ...usual, ...limits };
    storage.watch("messages", ({ id }) => {
      if (!this.#awaited.delete(id)) this.#forgetAll();
    });
  }

  /** The thread of the conversation's active branch, until it is closed. */
  open(conversation: Conversation): Thread {
    const { id, nextSeq } = conversation;
    const kept = this.#kept.get(id);
    this.#forget(id);
    let thread = new Thread(nextSeq === 1 ? 0 : undefined);
    if (kept?.mark === markOf(conversation)) ({ thread } = kept);
    this.#open.set(id, { thread, isGood: true });
    return thread;
  }

  /** Adds messages that are about to be stored. */
  add(id: string, messages: readonly Message[]): readonly Entry[] {
    for (const message of messages) this.#awaited.add(message.id);
    for (const oldest of this.#awaited) {
      if (this.#awaited.size <= mostAwaited) break;
      this.#awaited.delete(oldest);
    }
    return this.#open.get(id)?.thread.add(messages) ?? [];
  }

  /** Keeps the thread of a conversation as it is now. */
  close(conversation: Conversation): void {
    const { id } = conversation;
    const open = this.#open.get(id);
    this.#open.delete(id);
    const { fewest, most, largest } = this.#limits;
    if (open?.isGood !== true || open.thread.length < fewest) return;
    const { thread } = open;
    if (thread.size > largest) return;
    this.#kept.set(id, { thread, mark: markOf(conversation) });
    this.#size += thread.size;
    for (const oldest of this.#kept.keys()) {
      if (this.#size <= most || oldest === id) return;
      this.#forget(oldest);
    }
  }

  #forget(id: string): void {
    this.#size -= this.#kept.get(id)?.thread.size ?? 0;
    this.#kept.delete(id);
  }

  #forgetAll(): void {
    this.#kept.clear();
    this.#size = 0;
    for (const open of this.#open.values()) open.isGood = false;
  }
}
