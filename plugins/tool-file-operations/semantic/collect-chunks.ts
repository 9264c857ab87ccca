import type { ToolContext } from "@pergola/sdk";
import { Pace } from "../search/pace.ts";
import { walkFiles } from "../search/walk.ts";
import { decode, isBinary } from "../text/bytes.ts";
import { chunksOf, type Chunk } from "./chunks.ts";
import { wordHits } from "./word-hits.ts";
import type { ChunkHits } from "./word-scores.ts";

const largestFile = 1 << 20;

/** A chunk without its text, so that a whole tree fits into memory. */
export interface KnownChunk extends ChunkHits {
  readonly path: string;
  /** Its index among the file's chunks. */
  readonly index: number;
}

/**
 * A file's text and its chunks, of a large one the first MiB; none of a binary file and of what can no longer
 * be read.
 */
export async function readChunks(
  context: ToolContext,
  path: string,
): Promise<{ readonly text: string; readonly chunks: readonly Chunk[] }> {
  const bytes = await context.files.read(path, { start: 0, end: largestFile }).catch(() => new Uint8Array());
  const text = isBinary(bytes) ? "" : decode(bytes);
  return { text, chunks: chunksOf(text) };
}

function summed(
  one: readonly number[] | undefined,
  other: readonly number[] | undefined,
): readonly number[] | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one.map((count, term) => count + (other[term] ?? 0));
}

/** The chunks of every text file below a folder, with the words of the query in them or in their path. */
export async function collectChunks(
  context: ToolContext,
  directory: string,
  terms: readonly string[],
): Promise<readonly KnownChunk[]> {
  const pace = new Pace(context.signal);
  const known: KnownChunk[] = [];
  for await (const { path } of walkFiles(context, directory)) {
    const { text, chunks } = await readChunks(context, path);
    const inPath = wordHits(path, terms);
    for (const [index, chunk] of chunks.entries()) {
      known.push({
        path,
        index,
        length: chunk.text.length,
        hits: summed(wordHits(chunk.text, terms), inPath),
      });
    }
    await pace.spend(100 + text.length);
  }
  return known;
}
