import { stringOf, type ToolContext } from "@pergola/sdk";
import { readChunks, type KnownChunk } from "./collect-chunks.ts";
import { VectorCache } from "./vector-cache.ts";

const newVectors = 64;
const batch = 16;

const cosine = (one: Float32Array, other: Float32Array): number =>
  one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);

function byPath(chunks: readonly KnownChunk[]): ReadonlyMap<string, readonly KnownChunk[]> {
  const groups = new Map<string, KnownChunk[]>();
  for (const chunk of chunks) groups.set(chunk.path, [...(groups.get(chunk.path) ?? []), chunk]);
  return groups;
}

/** The query's vector; none when the embedder fails, so that the search goes on with words. */
async function embedded(context: ToolContext, query: string): Promise<readonly Float32Array[] | undefined> {
  try {
    return await context.embed([query]);
  } catch (error) {
    context.signal.throwIfAborted();
    context.log.warn({ error }, "The embedder failed; searching by words alone.");
    return undefined;
  }
}

async function embedInBatches(
  context: ToolContext,
  texts: readonly string[],
): Promise<readonly Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (let at = 0; at < texts.length; at += batch) {
    context.signal.throwIfAborted();
    vectors.push(...((await context.embed(texts.slice(at, at + batch))) ?? []));
  }
  return vectors;
}

/**
 * Compares the candidates with the query by meaning; undefined without an embedder. Vectors of unchanged
 * files are reused. A search makes at most 64 new ones, the first candidates first; chunks beyond that are
 * missing.
 */
export async function similarities(
  context: ToolContext,
  query: string,
  candidates: readonly KnownChunk[],
): Promise<ReadonlyMap<KnownChunk, number> | undefined> {
  const [target] = (await embedded(context, query)) ?? [];
  if (target === undefined) return undefined;
  const cache = new VectorCache(context, stringOf(await context.preference("memory.embedding_model")));
  const found = new Map<KnownChunk, number>();
  let left = newVectors;
  for (const [path, members] of byPath(candidates)) {
    const { text, chunks } = await readChunks(context, path);
    const key = cache.key(text);
    const vectors = new Map(await cache.get(key));
    const missing = members
      .filter(({ index }) => !vectors.has(index) && chunks[index] !== undefined)
      .slice(0, left);
    left -= missing.length;
    const texts = missing.map(({ index }) => chunks[index]?.text ?? "");
    const made = await embedInBatches(context, texts);
    const fresh = new Map(made.map((vector, at) => [missing[at]?.index ?? at, vector]));
    if (fresh.size > 0) await cache.put(key, fresh);
    for (const member of members) {
      const vector = fresh.get(member.index) ?? vectors.get(member.index);
      if (vector?.length === target.length) found.set(member, cosine(target, vector));
    }
  }
  if (left < newVectors) await cache.trim();
  return found;
}
