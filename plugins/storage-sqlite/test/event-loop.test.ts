import { monitorEventLoopDelay } from "node:perf_hooks";
import { expect } from "chai";
import { openLastingDatabase } from "@pergola/kit-storage/directory";
import { temporaryFolder } from "@pergola/sdk/testing";
import { openBuilt } from "./support/open-built.ts";

/** The longest that the event loop stood still meanwhile, in milliseconds. */
async function longestStall(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  await work();
  delay.disable();
  return delay.max / 1e6;
}

const code = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "done",
    (error: { readonly code?: string }) => error.code,
  );

describe("the event loop", function () {
  this.timeout(20_000);

  it("goes on while another program keeps the database locked; the write waits, reads are answered, and at the limit it fails (F7)", async () => {
    const dataDirectory = temporaryFolder();
    const storage = await openBuilt(dataDirectory);
    const notes = storage.collection("notes", { indexes: [] });
    await notes.put({ id: "a" });
    const other = openLastingDatabase(`${dataDirectory}/pergola.db`);
    other.exec("BEGIN IMMEDIATE");
    const outcomes: unknown[] = [];
    const stall = await longestStall(async () =>
      outcomes.push(...(await Promise.all([code(notes.put({ id: "b" })), notes.get("a")]))),
    );
    expect(stall).to.be.lessThan(500);
    expect(outcomes).to.deep.equal(["storage_unavailable", { id: "a", version: 1 }]);
    const waiting = notes.put({ id: "c" });
    setTimeout(() => other.exec("ROLLBACK"), 50);
    expect(await code(waiting)).to.equal("done");
    expect(await notes.get("b")).to.equal(undefined);
    other.close();
    await storage.close();
  });

  it("goes on while the thread writes tens of megabytes with full syncs", async () => {
    const storage = await openBuilt(temporaryFolder(), {});
    const bytes = new Uint8Array(1_000_000);
    await storage.blobs.put("first", bytes);
    const turns: number[] = [];
    const ticking = setInterval(() => turns.push(performance.now()), 5);
    await Promise.all(Array.from({ length: 30 }, (_, number) => storage.blobs.put(`b${number}`, bytes)));
    clearInterval(ticking);
    expect(turns.length).to.be.greaterThan(2);
    await storage.close();
  });
});
