import { dimensions, unit } from "./embedder.ts";

/** Bytes of a text's digest in the data file. */
const digestLength = 9;
const recordLength = digestLength + dimensions;

/** Vectors by the digest of their text; digests are compared by their first bytes. */
export type KnownVectors = ReadonlyMap<string, Float32Array>;

/** The part of a base64url SHA-256 that the data file keeps. */
export const shortDigest = (digest: string): string => digest.slice(0, (digestLength * 4) / 3);

/** Packs vectors for the data file: each one as its digest and one signed byte for each axis. */
export function packVectors(vectors: KnownVectors): string {
  const records = [...vectors].map(([digest, vector]) => {
    const most = Math.max(...vector.map(Math.abs));
    return Buffer.concat([
      Buffer.from(shortDigest(digest), "base64url"),
      Buffer.from(Int8Array.from(vector, (v) => Math.round((127 * v) / most)).buffer),
    ]);
  });
  return Buffer.concat(records).toString("base64");
}

/** Reads what `packVectors` wrote. A vector comes back at unit length, its cosines off by less than 0.01. */
export function unpackVectors(packed: string): KnownVectors {
  const bytes = Buffer.from(packed, "base64");
  const vectors = new Map<string, Float32Array>();
  for (let start = 0; start < bytes.length; start += recordLength) {
    const digest = bytes.subarray(start, start + digestLength).toString("base64url");
    const axes = new Int8Array(bytes.subarray(start + digestLength, start + recordLength));
    vectors.set(digest, unit(Float32Array.from(axes)));
  }
  return vectors;
}

/**
 * The vectors of the standard tools' phrases, made ahead by `scripts/guide-vectors.ts`. Loaded at first use.
 */
export async function officialVectors(): Promise<KnownVectors> {
  const { packed } = await import("./official-vectors.ts");
  return unpackVectors(packed);
}
