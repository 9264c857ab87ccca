import { expect } from "chai";
import { AppError, type Log } from "@pergola/sdk";
import { cosine, dimensions } from "../embedder/embedder.ts";
import { Hashing } from "../embedder/hashing.ts";
import { MiniLm } from "../embedder/minilm.ts";
import { VectorCache } from "../embedder/vector-cache.ts";
import { minilmHashes } from "../embedder/weights.ts";

const never = (): AbortSignal => new AbortController().signal;

class Warnings implements Log {
  readonly lines: string[] = [];
  debug(): void {}
  info(): void {}
  error(): void {}
  warn(_fields: object, message: string): void {
    this.lines.push(message);
  }
}

const length = (vector: Float32Array | undefined): number => Math.hypot(...(vector ?? []));
const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("MiniLM in its thread", function () {
  this.timeout(30_000);
  const open = (options: { idleAfter?: number; hashes?: Readonly<Record<string, string>> } = {}) =>
    new MiniLm({ log: new Warnings(), ...options });

  it("gives vectors of unit length that are near for like meanings", async () => {
    const minilm = open();
    const [a, b, c] = await minilm.embed(
      ["Delete the file", "Remove this document", "The weather is nice"],
      never(),
    );
    await minilm.close();
    expect([a, b, c].map((vector) => vector?.length)).to.deep.equal([dimensions, dimensions, dimensions]);
    expect(length(a)).to.be.closeTo(1, 1e-5);
    expect(cosine(a as Float32Array, b as Float32Array)).to.be.above(
      cosine(a as Float32Array, c as Float32Array) + 0.2,
    );
  });

  it("keeps the order of more texts than go into one batch", async () => {
    const minilm = open();
    const texts = Array.from({ length: 19 }, (_, index) => `number ${index}`);
    const all = await minilm.embed(texts, never());
    const [last] = await minilm.embed(["number 18"], never());
    await minilm.close();
    expect(all).to.have.length(19);
    expect(cosine(all[18] as Float32Array, last as Float32Array)).to.be.closeTo(1, 1e-4);
  });

  it("stops waiting as soon as the signal aborts", async () => {
    const minilm = open();
    const controller = new AbortController();
    const work = minilm.embed(
      Array.from({ length: 500 }, (_, index) => `a long text, number ${index}`),
      controller.signal,
    );
    controller.abort(new Error("enough"));
    expect(await rejection(work)).to.have.property("message", "enough");
    await minilm.close();
  });

  it("ends its thread when idle and starts it again at the next use", async () => {
    const minilm = open({ idleAfter: 1 });
    await minilm.embed(["one"], never());
    while (minilm.awake) await new Promise((resolve) => setImmediate(resolve));
    expect(await minilm.embed(["two"], never())).to.have.length(1);
    await minilm.close();
    expect(minilm.awake).to.equal(false);
  });

  it("refuses weights with another SHA-256, warns once and names what stands in", async () => {
    const log = new Warnings();
    const minilm = new MiniLm({ log, hashes: { ...minilmHashes, "tokenizer.json": "0" } });
    const error = await rejection(minilm.embed(["x"], never()));
    await rejection(minilm.embed(["y"], never()));
    await minilm.close();
    expect(AppError.is(error) && error.code).to.equal("provider_error");
    expect(AppError.is(error) && error.details).to.deep.equal({
      fault: "tokenizer.json differ from the released model",
      standIn: "hashing",
    });
    expect(log.lines).to.have.length(1);
    expect(minilm.absence).to.include("Use embedded/hashing");
  });

  it("has nothing to say of its absence while it can be used", async () => {
    const minilm = open();
    expect(minilm.absence).to.equal(undefined);
    await minilm.close();
  });

  it("rejects what is asked of it after it was closed", async () => {
    const minilm = open();
    await minilm.close();
    expect(await rejection(minilm.embed(["x"], never()))).to.have.property("code", "shutting_down");
  });
});

describe("the hashing embedder", () => {
  it("gives unit vectors that are near for shared words, and always the same", async () => {
    const hashing = new Hashing();
    const [a, b, c, again, empty] = await hashing.embed(
      ["read the file", "reading files", "blue sky", "read the file", ""],
      never(),
    );
    expect([a, b, c, empty].map((vector) => Math.round(length(vector) * 1e5) / 1e5)).to.deep.equal([
      1, 1, 1, 1,
    ]);
    expect(cosine(a as Float32Array, b as Float32Array)).to.be.above(
      cosine(a as Float32Array, c as Float32Array),
    );
    expect([...(a as Float32Array)]).to.deep.equal([...(again as Float32Array)]);
  });
});

describe("the cache of vectors", () => {
  const counting = () => {
    const asked: string[] = [];
    const hashing = new Hashing();
    return {
      asked,
      embed: (texts: readonly string[], signal: AbortSignal) => (
        asked.push(...texts),
        hashing.embed(texts, signal)
      ),
      close: () => hashing.close(),
    };
  };

  it("asks for each text once", async () => {
    const embedder = counting();
    const cache = new VectorCache(embedder);
    await cache.vectorsOf(["a", "b", "a"], never());
    await cache.vectorsOf(["b", "c"], never());
    expect(embedder.asked).to.deep.equal(["a", "b", "c"]);
  });

  it("forgets the oldest texts beyond its limit, and still answers", async () => {
    const embedder = counting();
    const cache = new VectorCache(embedder, 2);
    expect(await cache.vectorsOf(["a", "b", "c"], never())).to.have.length(3);
    await cache.vectorsOf(["a", "c"], never());
    expect(embedder.asked).to.deep.equal(["a", "b", "c", "a"]);
  });
});
