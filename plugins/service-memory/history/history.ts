import {
  KeyedQueue,
  type HistoryChunk,
  type Message,
  type SearchDocument,
  type SearchIndex,
  type Stored,
  type Write,
} from "@pergola/sdk";
import type { Parts } from "@pergola/sdk/host";
import type { Candidate } from "../merge-hits.ts";
import { isConflict } from "../is-conflict.ts";
import { forgettingScope, type ChunkRecord, type HistoryState, type Records } from "../records.ts";
import { searchCandidates } from "../search-candidates.ts";
import { coverage, questionTerms, termsBeside, termsOf } from "../terms.ts";
import { Vectors, type Embedded } from "../vectors.ts";
import { chunksOf, contentOf, isTalk, summaryOf, topicsOf, type Chunk } from "./chunks.ts";
import type { RecallQuery } from "./recall-query.ts";

/** Messages read at a time. */
const pageSize = 500;

/** Chunks that get vectors in one question. */
const embeddedAtOnce = 48;

/** Candidates looked at. */
const mostCandidates = 50;

/** A chunk that shares no word with the question is an answer from this cosine on. */
const leastCosine = 0.25;

/**
 * What was said in conversations. A conversation is read when it is first searched, and from then on what is
 * new in it: nobody pays for what is never asked. All words are there at once; vectors come newest first, a
 * few dozen with each question.
 */
export class History {
  readonly #parts: Parts;
  readonly #records: Records;
  readonly #words: SearchIndex;
  readonly #vectors: Vectors;
  readonly #turns = new KeyedQueue();

  constructor(parts: Parts, records: Records, signal: AbortSignal) {
    this.#parts = parts;
    this.#records = records;
    this.#vectors = new Vectors(parts, records, "history", signal);
    this.#words = parts.stores.storage.search("history", {
      fields: {
        summary: 3,
        topics: 2,
        content: 1,
      },
      dimensions: 0,
    });
  }

  async recall(query: RecallQuery): Promise<readonly HistoryChunk[]> {
    const { conversationIds: scopes, limit = 3, timeHint, until, wordsOnly = false } = query;
    if (query.query.trim() === "") return [];
    for (const id of scopes) await this.#turns.run(id, () => this.#read(id));
    const making = this.#prepare(query);
    making.catch(() => undefined);
    const embedded = wordsOnly ? undefined : await making;
    const terms = questionTerms(query.query);
    const candidates = await searchCandidates(this.#words, embedded, {
      scopes,
      terms,
      limit: mostCandidates,
    });
    const found = await this.#chunks(candidates, terms, limit, until);
    return byTime(found, timeHint).slice(0, limit);
  }

  /** The vector of a question, and those of the newest chunks that have none yet. */
  async #prepare({ query, conversationIds, trace }: RecallQuery): Promise<Embedded | undefined> {
    const embedded = await this.#vectors.embed([query], trace);
    if (embedded !== undefined) await this.#embed(conversationIds, embedded.model, trace);
    return embedded;
  }

  async forget(conversationId: string): Promise<void> {
    await this.#words.removeScope(conversationId);
    await this.#vectors.removeScope(conversationId);
  }

  /**
   * The chunks behind some candidates as they stand now; a few more than asked for, so that time can decide
   * between equals.
   */
  async #chunks(
    found: readonly Candidate[],
    terms: readonly string[],
    limit: number,
    until: RecallQuery["until"],
  ): Promise<readonly HistoryChunk[]> {
    const chunks: HistoryChunk[] = [];
    for (const { id, score, cosine = 0 } of found) {
      if (chunks.length >= 2 * limit) break;
      const record = await this.#records.chunks.get(id);
      const chunk = record && (await this.#chunk(record, score, until));
      if (chunk === undefined) continue;
      const isNear = cosine >= leastCosine;
      if (isNear || coverage(terms, termsBeside(terms, chunk.content)) > 0) chunks.push(chunk);
    }
    return chunks;
  }

  /** undefined when nothing of it stands any more. */
  async #chunk(
    { id, conversationId, first, last }: ChunkRecord,
    score: number,
    until?: RecallQuery["until"],
  ): Promise<HistoryChunk | undefined> {
    let end = last + 1;
    if (conversationId === until?.conversationId) end = Math.min(end, until.seq);
    const messages = (await this.#messages(conversationId, first, end)).filter(isTalk);
    const [head] = messages;
    const tail = messages.at(-1);
    if (head === undefined || tail === undefined) return undefined;
    return {
      id,
      conversationId,
      from: head.timestamp,
      to: tail.timestamp,
      summary: summaryOf(messages),
      keyTopics: topicsOf(messages.map((message) => message.content).join("\n")),
      content: contentOf(messages),
      score,
    };
  }

  /** Those from one number up to another, exclusive. */
  #messages(conversationId: string, from: number, end: number): Promise<readonly Message[]> {
    const seq = { gte: from, lt: end };
    return this.#parts.stores.messages.find({ conversationId, seq }, { order: "seq" });
  }

  /**
   * Reads what is new in a conversation; its last chunk may have grown and is made again. Where another host
   * has read it meanwhile, what this one has put in may be older: it is read anew. Nothing stays of one that
   * was deleted meanwhile.
   */
  async #read(conversationId: string, isOvertaken = false): Promise<void> {
    const [conversation, state] = await Promise.all([
      this.#parts.conversations.find(conversationId),
      this.#records.history.get(conversationId),
    ]);
    if (conversation === undefined) return isOvertaken ? this.#forgetDeleted(conversationId) : undefined;
    const { nextSeq = 0 } = conversation;
    const known = state ?? { nextSeq: 0, version: 0 };
    if (!isOvertaken && nextSeq === known.nextSeq) return;
    const writes = await this.#indexChunks(conversationId, nextSeq);
    const put: HistoryState = { id: conversationId, nextSeq };
    const progress = { collection: "memory_history", put, ifVersion: known.version };
    try {
      await this.#parts.stores.commit([...writes, progress]);
    } catch (error) {
      if (isConflict(error)) return this.#read(conversationId, true);
      throw error;
    }
    const isThere = (await this.#parts.conversations.find(conversationId)) !== undefined;
    if (!isThere) await this.#forgetDeleted(conversationId);
  }

  /** Up to this number. Resolves to the writes that store them. */
  async #indexChunks(conversationId: string, nextSeq: number): Promise<readonly Write[]> {
    const [open] = await this.#records.chunks.find({ conversationId }, { order: "-first", limit: 1 });
    const messages: Message[] = [];
    for (let from = open?.first ?? 0; from < nextSeq; from += pageSize)
      messages.push(...(await this.#messages(conversationId, from, Math.min(nextSeq, from + pageSize))));
    const chunks = chunksOf(messages);
    const remaining = new Set(chunks.map(idOf));
    const gone: string[] = [];
    if (open !== undefined && !remaining.has(open.id)) gone.push(open.id);
    await this.#words.index(chunks.map(documentOf));
    await this.#words.remove(gone);
    return [
      ...gone.map((id) => ({ collection, delete: id })),
      ...chunks.map((chunk) => ({ collection, put: recordOf(chunk) })),
    ];
  }

  async #forgetDeleted(conversationId: string): Promise<void> {
    await this.#parts.stores.commit(forgettingScope(conversationId));
  }

  /** Gives vectors to the newest chunks that have none of this model. */
  async #embed(conversationIds: readonly string[], model: string, trace?: string): Promise<void> {
    let left = embeddedAtOnce;
    for (const conversationId of conversationIds) {
      const known = await this.#records.chunks.find({ conversationId }, { order: "-first", limit: 10_000 });
      const open = known.filter((chunk) => chunk.model !== model).slice(0, left);
      if (open.length === 0) continue;
      left -= open.length;
      await this.#turns.run(conversationId, () => this.#fill(open, trace));
    }
  }

  async #fill(open: readonly Stored<ChunkRecord>[], trace: string | undefined): Promise<void> {
    const chunks = await Promise.all(open.map((record) => this.#chunk(record, 0)));
    const live = chunks.filter((chunk) => chunk !== undefined);
    const embedded = await this.#vectors.embed(
      live.map(({ content }) => content),
      trace,
    );
    if (embedded === undefined) return;
    const { model } = embedded;
    await this.#vectors.put(
      embedded,
      live.map(({ id, conversationId }) => ({ id, scope: conversationId })),
    );
    const ids = new Set(live.map(({ id }) => id));
    const records = open.filter(({ id }) => ids.has(id));
    await this.#parts.stores.commit(records.map((record) => ({ collection, put: { ...record, model } })));
  }
}

const collection = "memory_chunks";

const idOf = ({ conversationId, first }: Pick<Chunk, "conversationId" | "first">): string =>
  `${conversationId}/${first}`;

const recordOf = ({ messages: _, ...chunk }: Chunk): ChunkRecord => ({
  id: idOf(chunk),
  ...chunk,
  model: "",
});

function documentOf(chunk: Chunk): SearchDocument {
  const content = contentOf(chunk.messages);
  const indexed = (text: string): string => termsOf(text).join(" ");
  return {
    id: idOf(chunk),
    scope: chunk.conversationId,
    fields: {
      summary: indexed(summaryOf(chunk.messages)),
      topics: indexed(topicsOf(content).join(" ")),
      content: indexed(content),
    },
  };
}

/** Best first; where two are as good as each other, by their time. */
function byTime(chunks: readonly HistoryChunk[], hint: RecallQuery["timeHint"]): readonly HistoryChunk[] {
  const sign = { recent: -1, early: 1, none: 0 }[hint ?? "none"];
  const worth = ({ score }: HistoryChunk): number => Math.round(score * 4);
  const timeOf = ({ from }: HistoryChunk): number => sign * Date.parse(from);
  return chunks.toSorted((a, b) => worth(b) - worth(a) || timeOf(a) - timeOf(b) || b.score - a.score);
}
