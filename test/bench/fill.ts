import type { Log } from "@pergola/sdk";
import { openStores, type Parts } from "@pergola/sdk/host";
import { Memory } from "../../plugins/service-memory/memory.ts";
import { openSqlite } from "../../plugins/storage-sqlite/open-sqlite.ts";
import { madeUp } from "./memory/made-up.ts";
import { randomFrom } from "./memory/random.ts";

export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** The embedder that the service has by default, and how long its vectors are. */
const [model, dimensions] = ["embedded/minilm", 384];

/** `count` different sentences about people. */
function contents(count: number): readonly string[] {
  const found: string[] = [];
  for (let seed = 1; found.length < count; seed++)
    for (const { drafts } of madeUp("same", seed).batches)
      found.push(...drafts.map(({ content }) => `${content} (note ${seed}.${found.length})`));
  return found.slice(0, count);
}

/**
 * Writes memories into the store of a service that is not running. Their vectors are drawn: making the real
 * ones would take minutes, and a search takes as long with these.
 */
export async function fillMemories(dataDirectory: string, scope: string, count: number): Promise<void> {
  const storage = await openSqlite({ durability: "process" }, { dataDirectory, log: silentLog });
  const random = randomFrom(count);
  const unit = (): Float32Array => {
    const vector = Float32Array.from({ length: dimensions }, () => random() + random() - 1);
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  };
  const memory = new Memory({
    stores: openStores(storage),
    models: { embed: async (texts: readonly string[]) => ({ model, vectors: texts.map(unit) }) },
    clock: { now: () => Date.now() },
    log: silentLog,
    timestamp: () => new Date().toISOString(),
  } as unknown as Parts);
  memory.recover();
  const drafts = contents(count).map((content) => ({ content, origin: "user" as const }));
  await memory.store({ scope, scopeKind: "conversation" }, drafts);
  await memory.stop();
  await storage.close();
}
