import { createHash } from "node:crypto";
import type { Embedder } from "./embedder.ts";

const keyOf = (text: string): string => createHash("sha256").update(text).digest("base64url");

/** Vectors by the hash of their text, so that the phrases of tools are embedded once. The oldest ones go first. */
export class VectorCache {
  readonly #embedder: Embedder;
  readonly #limit: number;
  readonly #vectors = new Map<string, Float32Array>();

  constructor(embedder: Embedder, limit = 4096) {
    this.#embedder = embedder;
    this.#limit = limit;
  }

  async vectorsOf(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const keys = texts.map(keyOf);
    const missing = [...new Map(texts.map((text, index) => [keys[index] ?? "", text])).entries()].filter(
      ([key]) => !this.#vectors.has(key),
    );
    const made =
      missing.length === 0
        ? []
        : await this.#embedder.embed(
            missing.map(([, text]) => text),
            signal,
          );
    const fresh = new Map(missing.map(([key], index) => [key, made[index] as Float32Array]));
    const found = keys.map((key) => fresh.get(key) ?? (this.#vectors.get(key) as Float32Array));
    this.#remember(fresh);
    return found;
  }

  #remember(fresh: ReadonlyMap<string, Float32Array>): void {
    for (const [key, vector] of fresh) this.#vectors.set(key, vector);
    for (const key of this.#vectors.keys()) {
      if (this.#vectors.size <= this.#limit) return;
      this.#vectors.delete(key);
    }
  }
}
