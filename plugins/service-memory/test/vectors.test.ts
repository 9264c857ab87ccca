import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import type { Parts } from "@pergola/sdk/host";
import { expect } from "chai";
import type { Records } from "../records.ts";
import { Vectors } from "../vectors.ts";

describe("vectors of texts", () => {
  it("are asked for by many at once while the embedder starts, without a warning of a leak", async () => {
    const stopping = new AbortController();
    const embed = async (_texts: readonly string[], signal: AbortSignal): Promise<undefined> => {
      await once(signal, "abort");
    };
    const parts = { models: { embed } } as unknown as Parts;
    const vectors = new Vectors(parts, {} as Records, "memories", stopping.signal);
    const warnings: string[] = [];
    const note = ({ name }: Error): void => void warnings.push(name);
    process.on("warning", note);
    try {
      const asked = Array.from({ length: 20 }, (_, at) => vectors.embed([`question ${at}`]));
      stopping.abort();
      expect(await Promise.all(asked)).to.deep.equal(Array.from({ length: 20 }, () => undefined));
      await setImmediate();
      expect(warnings).to.deep.equal([]);
    } finally {
      process.off("warning", note);
    }
  });
});
