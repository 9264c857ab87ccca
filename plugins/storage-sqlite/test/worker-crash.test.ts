import type { Worker } from "node:worker_threads";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { openBuilt } from "./support/open-built.ts";
import { refusalOf } from "./support/refusal-of.ts";

/** Opens a storage and gives its thread too. */
async function openWithThread(dataDirectory: string) {
  let thread: Worker | undefined;
  const take = (worker: Worker): void => {
    thread = worker;
  };
  process.on("worker", take);
  const storage = await openBuilt(dataDirectory);
  return {
    storage,
    notes: storage.collection("notes", { indexes: [] }),
    crash: () => thread?.terminate(),
    end: () => process.off("worker", take),
  };
}

describe("a thread that dies", () => {
  it("rejects what waits for it, and works again with the next request and all that was acknowledged", async () => {
    const dataDirectory = temporaryFolder();
    const { storage, notes, crash, end } = await openWithThread(dataDirectory);
    await notes.put({ id: "kept" });
    const lost = Array.from({ length: 20 }, (_, number) =>
      notes.put({ id: `n${number}` }).then(
        () => "done",
        (error: { readonly code?: string }) => error.code,
      ),
    );
    await crash();
    const outcomes = await Promise.all(lost);
    expect(
      outcomes.filter((outcome) => outcome !== "done" && outcome !== "storage_unavailable"),
    ).to.deep.equal([]);
    const kept = await Promise.all(Array.from({ length: 20 }, (_, number) => notes.get(`n${number}`)));
    expect(
      outcomes.filter((outcome, number) => outcome === "done" && kept[number] === undefined),
    ).to.deep.equal([]);
    expect((await notes.get("kept"))?.version).to.equal(1);
    await notes.put({ id: "after" });
    expect((await refusalOf(dataDirectory)).message).to.match(/in use by another Pergola/);
    end();
    await storage.close();
    await (await openBuilt(dataDirectory)).close();
  });

  it("can be closed while no thread is there", async () => {
    const { storage, crash, end } = await openWithThread(temporaryFolder());
    await crash();
    end();
    await storage.close();
  });
});
