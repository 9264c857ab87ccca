import { createHash } from "node:crypto";
import type { Embedder } from "./embedder.ts";
import { type KnownVectors, shortDigest } from "./known-vectors.ts";

/** The digest under which the vector of a text is kept. */
export const digestOf = (text: string): string => createHash("sha256").update(text).digest("base64url");

const nothingKnown = async (): Promise<KnownVectors> => new Map();

/**
 * Vectors by the hash of their text, so that the phrases of tools are embedded once. The oldest ones go
 * first.
 */
export class VectorCache {
  readonly #embedder: Embedder;
  readonly #limit: number;
  readonly #vectors = new Map<string, Float32Array>();
  readonly #loadKnown: () => Promise<KnownVectors>;
  #known: Promise<KnownVectors> | undefined;
  #preparing: Promise<unknown> | undefined;

  /** `known` gives vectors that were made ahead; it is called once, at first use. */
  constructor(embedder: Embedder, limit = 4096, known = nothingKnown) {
    this.#embedder = embedder;
    this.#limit = limit;
    this.#loadKnown = known;
  }

  async vectorsOf(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const known = await (this.#known ??= this.#loadKnown());
    const digests = texts.map(digestOf);
    const kept = (digest: string): Float32Array | undefined =>
      known.get(shortDigest(digest)) ?? this.#vectors.get(digest);
    const missing = [...new Map(texts.map((text, index) => [digests[index] ?? "", text]))].filter(
      ([digest]) => kept(digest) === undefined,
    );
    const wanted = missing.map(([, text]) => text);
    const made = wanted.length === 0 ? [] : await this.#embedder.embed(wanted, signal);
    const fresh = new Map(missing.map(([digest], index) => [digest, made[index] as Float32Array]));
    const found = digests.map((digest) => fresh.get(digest) ?? (kept(digest) as Float32Array));
    this.#remember(fresh);
    return found;
  }

  /**
   * The vectors, when all of them are there already. Otherwise undefined: the missing ones are made in the
   * meantime, for a later call.
   */
  async readyVectors(texts: readonly string[]): Promise<readonly Float32Array[] | undefined> {
    const known = await (this.#known ??= this.#loadKnown());
    const digests = texts.map(digestOf);
    const ready = digests.flatMap(
      (digest) => known.get(shortDigest(digest)) ?? this.#vectors.get(digest) ?? [],
    );
    if (ready.length === texts.length) return ready;
    this.#preparing ??= this.vectorsOf(texts, new AbortController().signal)
      .catch(() => undefined)
      .finally(() => (this.#preparing = undefined));
    return undefined;
  }

  #remember(fresh: ReadonlyMap<string, Float32Array>): void {
    for (const [digest, vector] of fresh) this.#vectors.set(digest, vector);
    for (const digest of this.#vectors.keys()) {
      if (this.#vectors.size <= this.#limit) return;
      this.#vectors.delete(digest);
    }
  }
}
