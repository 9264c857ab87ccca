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
  #isPreparing = false;

  /** `known` gives vectors that were made ahead; it is called once, at first use. */
  constructor(embedder: Embedder, limit = 4096, known = nothingKnown) {
    this.#embedder = embedder;
    this.#limit = limit;
    this.#loadKnown = known;
  }

  async vectorsOf(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const vectors = await this.#find(texts);
    const missing = [...new Set(texts)].filter((text) => !vectors.has(text));
    if (missing.length > 0) {
      const made = await this.#embedder.embed(missing, signal);
      for (const [index, text] of missing.entries()) vectors.set(text, made[index] as Float32Array);
      this.#remember(missing, made);
    }
    return texts.map((text) => vectors.get(text) as Float32Array);
  }

  /**
   * The vectors, when all of them are there already. Otherwise undefined: the missing ones are made in the
   * meantime, for a later call.
   */
  async readyVectors(texts: readonly string[]): Promise<readonly Float32Array[] | undefined> {
    const vectors = await this.#find(texts);
    const ready = texts.flatMap((text) => vectors.get(text) ?? []);
    if (ready.length === texts.length) return ready;
    if (!this.#isPreparing) void this.#prepare(texts);
    return undefined;
  }

  /** Whoever needs the vectors later hears why they cannot be made. */
  async #prepare(texts: readonly string[]): Promise<void> {
    this.#isPreparing = true;
    await this.vectorsOf(texts, new AbortController().signal).catch(() => undefined);
    this.#isPreparing = false;
  }

  /** The vectors that are there, by their text. */
  async #find(texts: readonly string[]): Promise<Map<string, Float32Array>> {
    const known = await (this.#known ??= this.#loadKnown());
    const vectors = new Map<string, Float32Array>();
    for (const text of texts) {
      const digest = digestOf(text);
      const vector = known.get(shortDigest(digest)) ?? this.#vectors.get(digest);
      if (vector !== undefined) vectors.set(text, vector);
    }
    return vectors;
  }

  #remember(texts: readonly string[], made: readonly Float32Array[]): void {
    for (const [index, text] of texts.entries())
      this.#vectors.set(digestOf(text), made[index] as Float32Array);
    for (const digest of this.#vectors.keys()) {
      if (this.#vectors.size <= this.#limit) return;
      this.#vectors.delete(digest);
    }
  }
}
