import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { openStores, type Log, type MemoryDraft, type Parts, type Storage } from "@pergola/sdk";
import { Memory } from "../../../plugins/service-memory/memory.ts";
import { openSqlite } from "../../../plugins/storage-sqlite/open-sqlite.ts";
import { retrievalOf, type Found, type Retrieval } from "./retrieval.ts";

const log: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

export type Embed = (texts: readonly string[]) => Promise<readonly Float32Array[]>;

/** What is stored at one time. */
export interface Batch {
  readonly at: Date;
  readonly drafts: readonly MemoryDraft[];
}

/** Something to find: the right items by their place among all drafts. */
export interface Question {
  readonly text: string;
  readonly right: readonly number[];
}

/** Memories of one scope, and questions about them. */
export interface Corpus {
  readonly batches: readonly Batch[];
  readonly questions: readonly Question[];
  /** The time at which the questions are asked. */
  readonly askedAt: Date;
}

export const ways = ["words", "vectors", "merged", "merged, threshold 0.3"] as const;
export type Way = (typeof ways)[number];

const [scope, model] = ["s1", "bench"];

/** Stores a corpus with the memory service on SQLite, asks its questions in each way, and says what was found. */
export async function askCorpus({ batches, questions, askedAt }: Corpus, embed: Embed): Promise<Readonly<Record<Way, readonly Found[]>>> {
  const dataDirectory = mkdtempSync(path.join(tmpdir(), "pergola-bench-"));
  const storage: Storage = await openSqlite({ durability: "process" }, { dataDirectory, log });
  let [now, vectors] = [0, true];
  const models = { embed: async (texts: readonly string[]) => (vectors ? { model, vectors: await embed(texts) } : undefined) };
  const clock = { now: () => now };
  const timestamp = (): string => new Date(now).toISOString();
  const memory = new Memory({ stores: openStores(storage), models, clock, log, timestamp } as unknown as Parts);
  memory.recover();
  try {
    const ids: string[] = [];
    for (const { at, drafts } of batches) {
      now = at.getTime();
      ids.push(...(await memory.store({ scope, scopeKind: "conversation" }, drafts)).map(({ item }) => item.id));
    }
    now = askedAt.getTime();
    await embed(questions.map(({ text }) => text));
    const search = async (query: string, threshold: number): Promise<Omit<Found, "right" | "milliseconds">> => {
      const hits = await memory.search({ query, scopes: [scope], threshold, limit: 10 });
      return { ids: hits.map(({ item }) => item.id), characters: hits.reduce((sum, { item }) => sum + item.content.length, 0) };
    };
    const near = storage.search(`memories/${model}`, { fields: {}, dimensions: (await embed(["x"]))[0]!.length });
    const nearest = async (query: string): Promise<Omit<Found, "right" | "milliseconds">> => {
      const [vector] = await embed([query]);
      return { ids: (await near.query({ scopes: [`memory:${scope}`], vector: vector!, limit: 10 })).map(({ id }) => id), characters: 0 };
    };
    const asked: Readonly<Record<Way, (query: string) => ReturnType<typeof search>>> = {
      words: (query) => search(query, 0),
      vectors: nearest,
      merged: (query) => search(query, 0),
      "merged, threshold 0.3": (query) => search(query, 0.3),
    };
    const found = {} as Record<Way, readonly Found[]>;
    for (const way of ways) {
      vectors = way !== "words";
      const all: Found[] = [];
      for (const { text, right } of questions) {
        const begun = performance.now();
        const hits = await asked[way](text);
        all.push({ ...hits, milliseconds: performance.now() - begun, right: new Set(right.map((index) => ids[index]!)) });
      }
      found[way] = all;
    }
    return found;
  } finally {
    await memory.stop();
    await storage.close();
    rmSync(dataDirectory, { recursive: true, force: true });
  }
}

const share = (value: number): string => value.toFixed(3).replace("0.", ".").padStart(5);

/** One line for each way. */
export function tell(found: Readonly<Record<Way, readonly Found[]>>): void {
  for (const way of ways) {
    const { questions, recall10, recall5, mrr, tokens, milliseconds }: Retrieval = retrievalOf(found[way]);
    const cost = `${tokens === 0 ? "" : `${tokens.toFixed(0)} tokens, `}${milliseconds.toFixed(2)} ms`;
    process.stdout.write(
      `  ${way.padEnd(22)} R@10 ${share(recall10)}  R@5 ${share(recall5)}  MRR ${share(mrr)}  (${questions} questions, ${cost})\n`,
    );
  }
}
