import { expect } from "chai";
import type { Parts } from "@pergola/sdk/host";
import { Embedder } from "../embedder.ts";

describe("the embedder", () => {
  /** With a model that cannot be found; tells what is logged. */
  const failing = () => {
    const logged: unknown[] = [];
    const parts = {
      preferences: { get: () => "local/embedder" },
      log: { warn: (_: object, message: string) => logged.push(message) },
    } as unknown as Parts;
    const find = () => Promise.reject(new Error("gone"));
    return { embedder: new Embedder(parts, find), logged };
  };

  it("does without vectors where its model fails, and says so once", async () => {
    const { embedder, logged } = failing();
    expect(await embedder.embed(["text"], new AbortController().signal)).to.equal(undefined);
    expect(await embedder.embed(["more"], new AbortController().signal)).to.equal(undefined);
    expect(logged).to.have.length(1);
  });

  it("says nothing of a model that fails because nobody waits for it any more", async () => {
    const { embedder, logged } = failing();
    expect(await embedder.embed(["text"], AbortSignal.abort())).to.equal(undefined);
    expect(logged).to.deep.equal([]);
  });
});
