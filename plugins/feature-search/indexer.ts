import {
  AppError,
  KeyedQueue,
  type Collection,
  type Conversation,
  type Entity,
  type Message,
  type Write,
} from "@pergola/sdk";
import type { Parts, TextIndex } from "@pergola/sdk/host";
import { indexedText, searchedText } from "./searched-text.ts";

/** How far a conversation is indexed: up to the message with this number; 0 = what is indexed is gone. */
interface Progress extends Entity {
  readonly nextSeq: number;
}

const collection = "search_progress";

/** Milliseconds: what is written meanwhile is indexed at once, unless somebody searches. */
const patience = 1000;

/** Messages read at a time. */
const pageSize = 25;

/** Characters indexed at a time: some milliseconds in which nothing else is written. */
const sliceSize = 50_000;

/** Conversations looked at at a time. */
const sweptAtOnce = 100;

/** The write that leaves word that what is indexed of a conversation is gone. */
export function forgetting(id: string): Write {
  const gone: Progress = { id, nextSeq: 0 };
  return { collection, put: gone };
}

/**
 * Keeps an index of the messages of all conversations that are not hidden. It follows each of them after its
 * commits, never in them, and a start looks for what the last one has missed: slice by slice, with as much
 * time for others in between.
 */
export class Indexer {
  readonly #parts: Parts;
  readonly #texts: TextIndex;
  readonly #progress: Collection<Progress>;
  readonly #turns = new KeyedQueue();
  readonly #stopping = new AbortController();
  /** Conversations that have changed. */
  readonly #due = new Set<string>();
  /** Those that could not be indexed; the next search tries it again. */
  readonly #failed = new Set<string>();
  readonly #working = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #isSwept = false;
  #sweeping: Promise<void> = Promise.resolve();
  #unwatch: () => void = () => undefined;

  constructor(parts: Parts, texts: TextIndex) {
    this.#parts = parts;
    this.#texts = texts;
    this.#progress = parts.stores.storage.collection<Progress>(collection, { indexes: [] });
  }

  /** `isEmpty`: the index has nothing of what was indexed before. */
  start({ isEmpty }: { readonly isEmpty: boolean }): void {
    const { storage } = this.#parts.stores;
    this.#unwatch = storage.watch("conversations", ({ id, deleted }) => this.#add(id, deleted));
    this.#sweeping = this.#sweep(isEmpty).catch((error: unknown) => this.#warn(error));
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#unwatch();
    clearTimeout(this.#timer);
    await this.#sweeping;
    await Promise.all(this.#working);
  }

  /** Whether all that was stored when it last caught up is indexed. */
  get isComplete(): boolean {
    return this.#isSwept && this.#failed.size === 0 && this.#working.size === 0;
  }

  /** Indexes what has changed; waits for it, but not for long. */
  async catchUp(): Promise<void> {
    this.#flush();
    if (this.#working.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, patience);
    });
    await Promise.race([Promise.all(this.#working), late]);
    clearTimeout(timer);
  }

  #add(id: string, isUrgent: boolean): void {
    this.#due.add(id);
    if (isUrgent) this.#flush();
    this.#timer ??= setTimeout(() => this.#flush(), patience).unref();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#stopping.signal.aborted) return;
    const ids = new Set([...this.#due, ...this.#failed]);
    this.#due.clear();
    this.#failed.clear();
    for (const id of ids) this.#begin(id);
  }

  #begin(id: string): void {
    const work = this.#follow(id)
      .catch((error: unknown) => {
        this.#failed.add(id);
        this.#warn(error);
      })
      .finally(() => this.#working.delete(work));
    this.#working.add(work);
  }

  /** Brings the index up to a conversation as it is stored. */
  #follow(id: string): Promise<void> {
    return this.#turns.run(id, async () => {
      let isBehind = true;
      while (isBehind && !this.#stopping.signal.aborted) isBehind = await this.#step(id).catch(isOvertaken);
    });
  }

  /** One page of a conversation; false when there is nothing left to do. */
  async #step(id: string): Promise<boolean> {
    const { conversations, messages, commit } = this.#parts.stores;
    const [conversation, progress] = await Promise.all([conversations.get(id), this.#progress.get(id)]);
    const ifVersion = progress?.version ?? 0;
    const reach = (nextSeq: number): Promise<void> => this.#progress.put({ id, nextSeq }, { ifVersion });
    if (!isShown(conversation)) {
      if (progress === undefined) return false;
      await this.#texts.removeScope(id);
      await commit([{ collection, delete: id, ifVersion }]);
      return false;
    }
    if (progress?.nextSeq === 0) {
      await this.#texts.removeScope(id);
      await reach(1);
      return true;
    }
    const from = progress?.nextSeq ?? 1;
    const to = Math.min(from + pageSize, conversation.nextSeq);
    if (from >= to) return false;
    const page = await messages.find({ conversationId: id, seq: { gte: from, lt: to } }, { order: "seq" });
    for (const slice of slicesOf(page))
      await this.#unhurried(() => this.#texts.index(slice.map(indexedText)));
    await reach(to);
    return to < conversation.nextSeq;
  }

  /** Until all is indexed, others get as much time as the index. */
  async #unhurried(work: () => Promise<void>): Promise<void> {
    const begun = performance.now();
    await work();
    if (this.#isSwept) return;
    await new Promise((resolve) => setTimeout(resolve, performance.now() - begun));
  }

  /** Looks for what was stored, hidden or deleted while nobody followed. */
  async #sweep(isEmpty: boolean): Promise<void> {
    const { conversations, commit } = this.#parts.stores;
    if (isEmpty) await commit([{ collection, deleteWhere: { id: { gte: "" } } }]);
    const shown = (after?: Conversation) =>
      conversations.find(
        { hidden: false },
        { order: "-updated", limit: sweptAtOnce, ...(after && { after }) },
      );
    for (let page = await shown(); page.length > 0; page = await shown(page.at(-1))) {
      const known = await this.#progress.find({ id: { in: page.map(({ id }) => id) } });
      const reached = new Map(known.map(({ id, nextSeq }) => [id, nextSeq]));
      const behind = page.filter(({ id, nextSeq }) => (reached.get(id) ?? 1) !== nextSeq);
      if (!(await this.#followAll(behind))) return;
    }
    const indexed = (after?: Progress) =>
      this.#progress.find({ id: { gte: "" } }, { limit: sweptAtOnce, ...(after && { after }) });
    for (let page = await indexed(); page.length > 0; page = await indexed(page.at(-1))) {
      const known = await conversations.find({ id: { in: page.map(({ id }) => id) } });
      const visible = new Set(known.filter(isShown).map(({ id }) => id));
      if (!(await this.#followAll(page.filter(({ id }) => !visible.has(id))))) return;
    }
    this.#isSwept = true;
  }

  /** False when the service stops. */
  async #followAll(behind: readonly Entity[]): Promise<boolean> {
    for (const { id } of behind) await this.#follow(id);
    return !this.#stopping.signal.aborted;
  }

  #warn(error: unknown): void {
    if (this.#stopping.signal.aborted) return;
    this.#parts.log.warn({ error }, "the index of messages is out of date; the next start updates it");
  }
}

const isShown = (conversation: Conversation | undefined): conversation is Conversation =>
  conversation?.hidden === false;

/** Somebody else has written how far the conversation is indexed: it is looked at again. */
function isOvertaken(error: unknown): true {
  if (AppError.is(error) && error.code === "conflict") return true;
  throw error;
}

/** Messages with text, in pieces of some size. */
function slicesOf(messages: readonly Message[]): readonly (readonly Message[])[] {
  const slices: Message[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const message of messages) {
    const { length } = searchedText(message);
    if (length === 0) continue;
    if (size + length > sliceSize) {
      slices.push([]);
      size = 0;
    }
    slices.at(-1)?.push(message);
    size += length;
  }
  return slices;
}
