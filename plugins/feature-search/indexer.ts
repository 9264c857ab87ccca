import {
  AppError,
  KeyedQueue,
  type Collection,
  type Conversation,
  type Entity,
  type Message,
  type Write,
} from "@pergola/sdk";
import { searchProgress as collection, type Parts, type TextIndex } from "@pergola/sdk/host";
import { indexedText } from "./searched-text.ts";
import { firstPage, groupsOf, nextSize, slicesOf } from "./slices.ts";
import { withinTime } from "./within-time.ts";

/** How far a conversation is indexed: up to the message with this number; 0 = what is indexed is gone. */
interface Progress extends Entity {
  readonly nextSeq: number;
}

/** How many messages are read next. In a lane one page is held at a time. */
interface Pace {
  readonly lane: "changed" | "missed";
  pageSize: number;
}

/**
 * Milliseconds without a change after which what is due is indexed, and in which changes may go on: a search
 * has it indexed at once.
 */
const [patience, mostPatience] = [5000, 60_000];

/** Milliseconds in which a search waits for what is due. */
const searchPatience = 1000;
const sweepPatience = 100;

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
  readonly #pages = new KeyedQueue();
  readonly #stopping = new AbortController();
  /** Conversations that have changed. */
  readonly #due = new Set<string>();
  #dueSince = 0;
  /** Those that could not be indexed; the next search tries it again. */
  readonly #failed = new Set<string>();
  readonly #working = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #isSweepStarted = false;
  #sweepTimer: NodeJS.Timeout | undefined;
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
    if (isEmpty) this.#startSweep(isEmpty);
    else this.#sweepTimer = setTimeout(() => this.#startSweep(), patience).unref();
  }

  /** Looks for what the last start has missed: at the first search, or when the start is over. */
  #startSweep(isEmpty = false): void {
    clearTimeout(this.#sweepTimer);
    if (this.#isSweepStarted || this.#stopping.signal.aborted) return;
    this.#isSweepStarted = true;
    this.#sweeping = this.#sweep(isEmpty).catch((error: unknown) => this.#warn(error));
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#unwatch();
    clearTimeout(this.#timer);
    clearTimeout(this.#sweepTimer);
    await this.#sweeping;
    await Promise.all(this.#working);
  }

  /** Whether all that was stored when it last caught up is indexed. */
  get isComplete(): boolean {
    return this.#isSwept && this.#failed.size === 0 && this.#working.size === 0;
  }

  /** Indexes what has changed; waits for it, but not for long, and less for what earlier starts have left. */
  async catchUp(): Promise<void> {
    this.#startSweep();
    this.#flush();
    if (!this.#isSwept) await withinTime(this.#sweeping, sweepPatience);
    if (this.#working.size > 0) await withinTime(Promise.all(this.#working), searchPatience);
  }

  #add(id: string, isUrgent: boolean): void {
    if (this.#due.size === 0) this.#dueSince = performance.now();
    this.#due.add(id);
    if (isUrgent) return this.#flush();
    clearTimeout(this.#timer);
    const left = Math.max(0, this.#dueSince + mostPatience - performance.now());
    this.#timer = setTimeout(() => this.#flush(), Math.min(patience, left)).unref();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#stopping.signal.aborted) return;
    const ids = [...new Set([...this.#due, ...this.#failed])];
    this.#due.clear();
    this.#failed.clear();
    // The sweep takes conversations, too, each in its turn.
    if (!this.#isSwept) return ids.forEach((id) => this.#track(this.#followAlone(id)));
    for (const some of groupsOf(ids)) this.#track(this.#followTogether(some));
  }

  async #followAlone(id: string): Promise<void> {
    try {
      await this.#follow(id, "changed");
    } catch (error) {
      this.#failed.add(id);
      this.#warn(error);
    }
  }

  #track(work: Promise<void>): void {
    const tracked = work.finally(() => this.#working.delete(tracked));
    this.#working.add(tracked);
  }

  /** Conversations with few new messages in one write; the others one by one. */
  async #followTogether(ids: readonly string[]): Promise<void> {
    const alone = await this.#leftOver(ids, "changed");
    await Promise.all(alone.map((id) => this.#followAlone(id)));
  }

  /** Gives those that are still to be followed one by one. */
  async #leftOver(ids: readonly string[], lane: Pace["lane"]): Promise<readonly string[]> {
    const left = new Set(ids);
    try {
      await this.#pages.run(lane, async () => {
        if (this.#stopping.signal.aborted) return;
        for (const id of await this.#stepTogether(ids)) left.delete(id);
      });
    } catch {
      // Each is tried again by itself, so that one that fails takes no other with it.
    }
    return [...left];
  }

  /** Gives those that are indexed as they are stored. */
  async #stepTogether(ids: readonly string[]): Promise<readonly string[]> {
    const { conversations, messages, commit } = this.#parts.stores;
    const [found, reached] = await Promise.all([
      conversations.find({ id: { in: ids } }),
      this.#progress.find({ id: { in: ids } }),
    ]);
    const known = new Map(reached.map((progress) => [progress.id, progress]));
    const steps = found.filter(isShown).map(({ id, nextSeq }) => {
      const { nextSeq: from = 1, version = 0 } = known.get(id) ?? {};
      return { id, from, to: nextSeq, ifVersion: version };
    });
    const small = steps.filter(({ from, to }) => from > 0 && to > from && to - from <= firstPage);
    const pages = await Promise.all(
      small.map(({ id, from, to }) => messages.find({ conversationId: id, seq: { gte: from, lt: to } })),
    );
    await this.#index(pages.flat());
    await commit(small.map(({ id, to, ifVersion }) => ({ collection, put: { id, nextSeq: to }, ifVersion })));
    return small.map(({ id }) => id);
  }

  /** Brings the index up to a conversation as it is stored. */
  #follow(id: string, lane: Pace["lane"]): Promise<void> {
    return this.#turns.run(id, async () => {
      let isBehind = true;
      const pace: Pace = { pageSize: firstPage, lane };
      while (isBehind && !this.#stopping.signal.aborted)
        isBehind = await this.#step(id, pace).catch(isOvertaken);
    });
  }

  /** One page of a conversation; false when there is nothing left to do. */
  async #step(id: string, pace: Pace): Promise<boolean> {
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
    const to = Math.min(from + pace.pageSize, conversation.nextSeq);
    if (from >= to) return false;
    await this.#pages.run(pace.lane, async () => {
      const within = { conversationId: id, seq: { gte: from, lt: to } };
      const page = await messages.find(within, { order: "seq" });
      await this.#index(page);
      pace.pageSize = nextSize(pace.pageSize, page);
    });
    await reach(to);
    return to < conversation.nextSeq;
  }

  async #index(page: readonly Message[]): Promise<void> {
    for (const slice of slicesOf(page))
      await this.#unhurried(() => this.#texts.index(slice.map(indexedText)));
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
    for (const some of groupsOf(behind.map(({ id }) => id))) {
      // One of them may be followed at this moment, since it has changed.
      const inTurns = some.reduceRight(
        (next, id) => () => this.#turns.run(id, next),
        () => this.#leftOver(some, "missed"),
      );
      for (const id of await inTurns()) await this.#follow(id, "missed");
    }
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
