import {
  KeyedQueue,
  type HistoryChunk,
  type MemoryService,
  type SearchIndex,
  type Stored,
} from "@pergola/sdk";
import type { Parts } from "@pergola/sdk/host";
import { mergeHits, type Candidate } from "../merge-hits.ts";
import type { ChunkRecord, HistoryState, Records } from "../records.ts";
import { coverage, questionTerms, termsBeside, termsOf } from "../terms.ts";
import { Vectors } from "../vectors.ts";
import { chunksOf, contentOf, isTalk, summaryOf, type Chunk } from "./chunks.ts";
import { keyTopics } from "./key-topics.ts";

type Until = Parameters<MemoryService["recall"]>[0]["until"];

/** Messages read at a time, chunks that get vectors in one question, and candidates looked at. */
const [pageSize, embeddedAtOnce, candidates] = [500, 48, 50];

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
  readonly #signal: AbortSignal;

  constructor(parts: Parts, records: Records, signal: AbortSignal) {
    this.#parts = parts;
    this.#records = records;
    this.#signal = signal;
    this.#vectors = new Vectors(parts, records, "history");
    this.#words = parts.stores.storage.search("history", {
      fields: { summary: 3, topics: 2, content: 1 },
      dimensions: 0,
    });
  }

  async recall(query: Parameters<MemoryService["recall"]>[0]): Promise<readonly HistoryChunk[]> {
    const { conversationIds: scopes, limit = 3, timeHint, until } = query;
    if (query.query.trim() === "") return [];
    for (const id of scopes) await this.#turns.run(id, () => this.#read(id));
    const embedded = await this.#vectors.embed([query.query], this.#signal);
    if (embedded !== undefined) await this.#embed(scopes, embedded.model);
    const terms = questionTerms(query.query);
    const [words, near] = await Promise.all([
      terms.length === 0
        ? []
        : this.#words.query({
            scopes,
            text: terms.join(" "),
            limit: candidates,
          }),
      embedded?.index.query({
        scopes,
        vector: embedded.vectors[0]!,
        limit: candidates,
      }) ?? [],
    ]);
    const found = await this.#chunks(mergeHits(words, near), terms, limit, until);
    return byTime(found, timeHint).slice(0, limit);
  }

  async forget(conversationId: string): Promise<void> {
    for (const index of [this.#words, ...(await this.#vectors.others())])
      await index.removeScope(conversationId);
  }

  /**
   * The chunks behind some candidates as they stand now; a few more than asked for, so that time can decide
   * between equals.
   */
  async #chunks(
    found: readonly Candidate[],
    terms: readonly string[],
    limit: number,
    until?: Until,
  ): Promise<readonly HistoryChunk[]> {
    const chunks: HistoryChunk[] = [];
    for (const { id, score, cosine = 0 } of found) {
      if (chunks.length >= 2 * limit) break;
      const record = await this.#records.chunks.get(id);
      const chunk = record && (await this.#chunk(record, score, until));
      if (
        chunk !== undefined &&
        (cosine >= leastCosine || coverage(terms, termsBeside(terms, chunk.content)) > 0)
      )
        chunks.push(chunk);
    }
    return chunks;
  }

  /** undefined when nothing of it stands any more. */
  async #chunk(
    { id, conversationId, first, last }: ChunkRecord,
    score: number,
    until?: Until,
  ): Promise<HistoryChunk | undefined> {
    const seq = { gte: first, lt: last + 1 };
    const messages = (
      await this.#parts.stores.messages.find({ conversationId, seq }, { order: "seq" })
    ).filter(
      (message) => isTalk(message) && (conversationId !== until?.conversationId || message.seq < until.seq),
    );
    const [head, tail, content] = [messages[0], messages.at(-1), contentOf(messages)];
    if (head === undefined || tail === undefined) return undefined;
    const [summary, topics] = [
      summaryOf(messages),
      keyTopics(messages.map((message) => message.content).join("\n")),
    ];
    return {
      id,
      conversationId,
      from: head.timestamp,
      to: tail.timestamp,
      summary,
      keyTopics: topics,
      content,
      score,
    };
  }

  /** Reads what is new in a conversation; its last chunk may have grown and is made again. */
  async #read(conversationId: string): Promise<void> {
    const [conversation, state] = await Promise.all([
      this.#parts.conversations.find(conversationId),
      this.#records.history.get(conversationId),
    ]);
    const { nextSeq = 0 } = conversation ?? {};
    if (nextSeq === (state?.nextSeq ?? 0)) return;
    const [open] = await this.#records.chunks.find({ conversationId }, { order: "-first", limit: 1 });
    const messages = [];
    for (let after = (open?.first ?? 0) - 1; after < nextSeq; after += pageSize) {
      const seq = {
        gte: after + 1,
        lt: Math.min(nextSeq, after + 1 + pageSize),
      };
      messages.push(
        ...(await this.#parts.stores.messages.find(
          { conversationId, seq },
          { order: "seq", limit: pageSize },
        )),
      );
    }
    const chunks = chunksOf(messages);
    const gone = [open?.id ?? ""].filter((id) => id !== "" && chunks.every((chunk) => idOf(chunk) !== id));
    await this.#words.index(chunks.map(documentOf));
    await this.#words.remove(gone);
    const now: HistoryState = { id: conversationId, nextSeq };
    await this.#parts.stores.commit([
      ...gone.map((id) => ({ collection: "memory_chunks", delete: id })),
      ...chunks.map((chunk) => ({ collection: "memory_chunks", put: recordOf(chunk, "") })),
      { collection: "memory_history", put: now },
    ]);
  }

  /** Gives vectors to the newest chunks that have none of this model. */
  async #embed(conversationIds: readonly string[], model: string): Promise<void> {
    let left = embeddedAtOnce;
    for (const conversationId of conversationIds) {
      const known = await this.#records.chunks.find({ conversationId }, { order: "-first", limit: 10_000 });
      const open = known.filter((chunk) => chunk.model !== model).slice(0, left);
      if (open.length === 0) continue;
      left -= open.length;
      await this.#turns.run(conversationId, () => this.#fill(open));
    }
  }

  async #fill(open: readonly Stored<ChunkRecord>[]): Promise<void> {
    const live = (
      await Promise.all(open.map(async (record) => [record, await this.#chunk(record, 0)] as const))
    ).flatMap(([record, chunk]) => (chunk === undefined ? [] : [{ record, chunk }]));
    const made = await this.#vectors.embed(
      live.map(({ chunk }) => chunk.content),
      this.#signal,
    );
    if (made === undefined) return;
    const ids = live.map(({ record }) => record.id);
    for (const other of await this.#vectors.others(made.model)) await other.remove(ids);
    await made.index.index(
      live.map(({ record }, at) => ({
        id: record.id,
        scope: record.conversationId,
        fields: {},
        vector: made.vectors[at]!,
      })),
    );
    const puts = live.map(({ record: { version: _, ...record } }) => ({
      collection: "memory_chunks",
      put: { ...record, model: made.model },
    }));
    await this.#parts.stores.commit(puts);
  }
}

const idOf = ({ conversationId, first }: Pick<Chunk, "conversationId" | "first">): string =>
  `${conversationId}/${first}`;

const recordOf = (chunk: Chunk, model: string): ChunkRecord => {
  const { conversationId, first, last } = chunk;
  return {
    id: idOf(chunk),
    conversationId,
    first,
    last,
    model,
  };
};

function documentOf(chunk: Chunk) {
  const content = contentOf(chunk.messages);
  const said = {
    summary: summaryOf(chunk.messages),
    topics: keyTopics(content).join(" "),
    content,
  };
  const fields = Object.fromEntries(
    Object.entries(said).map(([name, text]) => [name, termsOf(text).join(" ")]),
  );
  return {
    id: idOf(chunk),
    scope: chunk.conversationId,
    fields,
  };
}

/** Best first; where two are as good as each other, by their time. */
function byTime(
  chunks: readonly HistoryChunk[],
  hint: "recent" | "early" | undefined,
): readonly HistoryChunk[] {
  const sign = { recent: -1, early: 1, none: 0 }[hint ?? "none"];
  const worth = ({ score }: HistoryChunk): number => Math.round(score * 4);
  return chunks.toSorted(
    (a, b) =>
      worth(b) - worth(a) || sign * Date.parse(a.from) - sign * Date.parse(b.from) || b.score - a.score,
  );
}
