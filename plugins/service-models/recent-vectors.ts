import type { Embedded } from "@pergola/sdk/host";

/** Texts whose vectors are kept, the last ones. */
const most = 256;

/**
 * The vectors of the texts that were embedded last. One question is often asked several times, at once or one
 * after the other: its vector is made once.
 */
export class RecentVectors {
  readonly #known = new Map<string, Promise<Float32Array>>();

  /** `make` gives the vectors of those texts that have none of this model. Rejects as it does. */
  async get(
    { model, texts }: { readonly model: string; readonly texts: readonly string[] },
    make: (texts: readonly string[]) => Promise<Embedded>,
  ): Promise<Embedded> {
    const keyOf = (text: string): string => `${model}\n${text}`;
    const missing = [...new Set(texts)].filter((text) => !this.#known.has(keyOf(text)));
    if (missing.length > 0) this.#add(missing.map(keyOf), make(missing));
    const vectors = Promise.all(texts.map((text) => this.#known.get(keyOf(text))!));
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= most) break;
      this.#known.delete(oldest);
    }
    return { model, vectors: await vectors };
  }

  /** From now on other vectors may be made of the same texts. */
  clear(): void {
    this.#known.clear();
  }

  #add(keys: readonly string[], made: Promise<Embedded>): void {
    for (const [index, key] of keys.entries()) {
      const vector = made.then(({ vectors }) => vectors[index]!);
      this.#known.set(key, vector);
      vector.catch(() => this.#known.delete(key));
    }
  }
}
