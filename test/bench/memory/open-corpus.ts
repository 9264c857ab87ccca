import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Log, MemoryService, SearchIndex, Storage } from "@pergola/sdk";
import { openStores, type Parts } from "@pergola/sdk/host";
import { Memory } from "../../../plugins/service-memory/memory.ts";
import { openPostgres } from "../../../plugins/storage-postgres/open-postgres.ts";
import { sharedServer } from "../../../plugins/storage-postgres/test/support/postgres-server.ts";
import { openSqlite } from "../../../plugins/storage-sqlite/open-sqlite.ts";
import type { Corpus, Embed } from "./corpus.ts";

const log: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

export const scope = "s1";
const model = "bench";

/** What memories can be kept in. */
export type StorageType = "sqlite" | "postgres";

async function openStorage(type: StorageType, dataDirectory: string): Promise<Storage> {
  if (type === "sqlite") return openSqlite({ durability: "process" }, { dataDirectory, log });
  const { type: _, ...settings } = (await sharedServer()).settings();
  return openPostgres(settings, { dataDirectory, log });
}

/** A corpus in the memory service on a storage, at the time when its questions are asked. */
export interface OpenCorpus {
  readonly memory: MemoryService;
  /** The indexes under the service. */
  readonly words: SearchIndex;
  readonly near: SearchIndex;
  /** Of the drafts, in their order; drafts of the same content within minutes have one. */
  readonly ids: readonly string[];
  /** Whether the service has an embedder. */
  useVectors(use: boolean): void;
  close(): Promise<void>;
}

/** Waits for the vectors of so many memories, which are made in the background. */
async function vectorsOf(near: SearchIndex, count: number, vector: Float32Array): Promise<void> {
  const all = { scopes: [`memory:${scope}`], vector, limit: count };
  for (let attempts = 100; (await near.query(all)).length < count; attempts -= 1) {
    if (attempts === 0) throw new Error("the vectors were not made");
    await setTimeout(100);
  }
}

export async function openCorpus(
  { batches, askedAt }: Corpus,
  embed: Embed,
  type: StorageType,
): Promise<OpenCorpus> {
  const dataDirectory = mkdtempSync(path.join(tmpdir(), "pergola-bench-"));
  const storage = await openStorage(type, dataDirectory);
  let [now, vectors] = [0, true];
  const models = {
    embed: async (texts: readonly string[]) => (vectors ? { model, vectors: await embed(texts) } : undefined),
  };
  const clock = { now: () => now };
  const timestamp = (): string => new Date(now).toISOString();
  const memory = new Memory({
    stores: openStores(storage),
    models,
    clock,
    log,
    timestamp,
  } as unknown as Parts);
  memory.recover();
  const ids: string[] = [];
  await embed(batches.flatMap(({ drafts }) => drafts.map(({ content }) => content)));
  for (const { at, drafts } of batches) {
    now = at.getTime();
    ids.push(
      ...(await memory.store({ scope, scopeKind: "conversation" }, drafts)).map(({ item }) => item.id),
    );
  }
  now = askedAt.getTime();
  const near = storage.search(`memories/${model}`, {
    fields: {},
    dimensions: (await embed(["a"]))[0]!.length,
  });
  await vectorsOf(near, new Set(ids).size, (await embed(["a"]))[0]!);
  return {
    memory,
    words: storage.search("memories", { fields: { text: 1, near: 0.25, asked: 0.5 }, dimensions: 0 }),
    near,
    ids,
    useVectors: (use) => void (vectors = use),
    close: async () => {
      await memory.stop();
      await storage.close();
      rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
}
