import { readFile } from "node:fs/promises";
import { dimensions, unit } from "./embedder.ts";

/** Bytes of a text's digest in the data file. */
const digestLength = 9;
const recordLength = digestLength + dimensions;

/** Vectors by the digest of their text; digests are compared by their first bytes. */
export type KnownVectors = ReadonlyMap<string, Float32Array>;

/** The part of a base64url SHA-256 that the data file keeps. */
export const shortDigest = (digest: string): string => digest.slice(0, (digestLength * 4) / 3);

/** Packs vectors for the data file: each one as its digest and one signed byte for each axis. */
export function packVectors(vectors: KnownVectors): Buffer {
  const records = [...vectors].map(([digest, vector]) => {
    const most = Math.max(...vector.map(Math.abs));
    const axes = Int8Array.from(vector, (value) => Math.round((127 * value) / most));
    return Buffer.concat([Buffer.from(shortDigest(digest), "base64url"), Buffer.from(axes.buffer)]);
  });
  return Buffer.concat(records);
}

/** Reads what `packVectors` wrote. A vector comes back at unit length, its cosines off by less than 0.01. */
export function unpackVectors(bytes: Buffer): KnownVectors {
  const vectors = new Map<string, Float32Array>();
  for (let start = 0; start + recordLength <= bytes.length; start += recordLength) {
    const digest = bytes.subarray(start, start + digestLength).toString("base64url");
    const axes = new Int8Array(bytes.subarray(start + digestLength, start + recordLength));
    vectors.set(digest, unit(Float32Array.from(axes)));
  }
  return vectors;
}

/** Beside the bundle in a package; in a clone, in the cache of the build. */
const places = ["./guide-vectors.bin", "../../../node_modules/.cache/pergola/guide-vectors.bin"];

/** The vectors of the standard tools' examples that the build made; none when there was no build. */
export async function builtVectors(): Promise<KnownVectors> {
  for (const place of places) {
    const bytes = await readFile(new URL(place, import.meta.url)).catch(() => undefined);
    if (bytes !== undefined) return unpackVectors(bytes);
  }
  return new Map();
}
