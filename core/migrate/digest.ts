import { createHash } from "node:crypto";
import type { Entity, SearchDocument } from "@pergola/sdk";

/** How many there are, and the XOR of their SHA-256, in which no order counts; ids are in the hashes. */
export interface Digest {
  readonly count: number;
  /** Hexadecimal. */
  readonly digest: string;
}

/** A record as it is compared: a storage counts its versions by itself. */
export const recordAsText = (record: Entity): string => JSON.stringify({ ...record, version: undefined });

const sha256 = (...parts: readonly (string | Uint8Array)[]): Buffer => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
};

export const hashOfRecord = (record: Entity): Buffer => sha256(recordAsText(record));

export const hashOfBlob = (id: string, bytes: Uint8Array): Buffer => sha256(id, "\0", bytes);

export function hashOfDocument({ id, scope, fields, vector }: SearchDocument): Buffer {
  const floats = vector && new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
  return sha256(JSON.stringify([id, scope, fields]), floats ?? "");
}

/** Adds hashes up. */
export class DigestSum {
  #count = 0;
  readonly #sum = Buffer.alloc(32);

  add(hash: Buffer): void {
    this.#count += 1;
    for (const [at, byte] of hash.entries()) this.#sum[at]! ^= byte;
  }

  get value(): Digest {
    return { count: this.#count, digest: this.#sum.toString("hex") };
  }
}
