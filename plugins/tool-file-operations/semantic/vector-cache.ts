import { createHash } from "node:crypto";
import type { ToolContext } from "@pergola/sdk";

/** Name of the plugin's collection of vectors; its index is declared in index.ts. */
const vectorCollection = "vectors";

const mostRecords = 5000;
const removedAtOnce = 500;
const scale = 127;

/** The vectors of one file's content, by chunk: 8-bit numbers in base64, as the cosine needs no more. */
export interface FileVectors {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly used: number;
  readonly chunks: { readonly [index: string]: string };
}

const packed = (vector: Float32Array): string =>
  Buffer.from(Int8Array.from(vector, (value) => Math.round(value * scale)).buffer).toString("base64");
const unpacked = (text: string): Float32Array =>
  Float32Array.from(new Int8Array(Buffer.from(text, "base64")), (value) => value / scale);

/**
 * Keeps vectors under a file's content and the embedding model, so that unchanged files are never embedded
 * twice. At most 5,000 files.
 */
export class VectorCache {
  readonly #context: ToolContext;
  readonly #model: string;

  constructor(context: ToolContext, model: string) {
    this.#context = context;
    this.#model = model;
  }

  /** The key of a file's content. */
  key(text: string): string {
    return createHash("sha256").update(`${this.#model}\n${text}`).digest("hex");
  }

  async get(key: string): Promise<ReadonlyMap<number, Float32Array>> {
    const record = await this.#records.get(key);
    return new Map(
      Object.entries(record?.chunks ?? {}).map(([index, vector]) => [Number(index), unpacked(vector)]),
    );
  }

  /** Adds to what is known of a file, and makes room when there are too many. */
  async put(key: string, vectors: ReadonlyMap<number, Float32Array>): Promise<void> {
    const before = (await this.#records.get(key))?.chunks ?? {};
    const added = Object.fromEntries([...vectors].map(([index, vector]) => [String(index), packed(vector)]));
    await this.#records.put({ id: key, used: this.#context.clock.now(), chunks: { ...before, ...added } });
  }

  async trim(): Promise<void> {
    if ((await this.#records.count({})) <= mostRecords) return;
    for (const { id } of await this.#records.find({}, { order: "used", limit: removedAtOnce }))
      await this.#records.delete(id);
  }

  get #records() {
    return this.#context.collection<FileVectors>(vectorCollection);
  }
}
