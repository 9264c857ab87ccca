import type { RunEvent } from "@pergola/sdk";
import { openStores, type Parts } from "@pergola/sdk/host";
import { expect } from "chai";
import { eventsWrite, EventStore } from "../../plugins/service-runs/event-store.ts";
import { MemoryStorage } from "../../plugins/storage-memory/memory-storage.ts";
import { silentLog } from "../support/memory-scene.ts";

const minute = 60_000;
const text = (each: string): RunEvent => ({ type: "text", text: each });

describe("the stored events of runs", () => {
  const scene = () => {
    const stores = openStores(new MemoryStorage(silentLog));
    const clock = { time: Date.parse("2026-03-01T10:00:00Z"), now: () => clock.time };
    const kept = new EventStore({ stores, clock, preferences: { get: () => 5 } } as unknown as Parts);
    const store = (id: string, from: number, events: readonly RunEvent[], endedAt: string | null = null) =>
      stores.commit([eventsWrite({ id, conversationId: `of ${id}` }, from, events, endedAt)]);
    const now = () => new Date(clock.now()).toISOString();
    return { stores, clock, kept, store, now };
  };

  it("are read in order, however many commits they came in", async () => {
    const { kept, store } = scene();
    for (let from = 0; from < 24; from += 2) await store("run", from, [text(`${from}`), text(`${from + 1}`)]);
    await store("other", 0, [text("not mine")]);
    expect(await kept.read("run")).to.deep.equal(Array.from({ length: 24 }, (_, index) => text(`${index}`)));
  });

  it("are removed when their time is over, all of a run together, and no others", async () => {
    const { stores, clock, kept, store, now } = scene();
    await store("early", 0, [text("a")]);
    await store("early", 1, [text("b")], now());
    await store("at work", 0, [text("c")]);
    clock.time += 4 * minute;
    await store("late", 0, [text("d")], now());
    clock.time += 2 * minute;
    expect(await kept.read("early")).to.deep.equal([]);
    await kept.prune();
    expect(
      await Promise.all(["early", "at work", "late"].map((runId) => stores.runEvents.count({ runId }))),
    ).to.deep.equal([0, 1, 1]);
    clock.time += minute / 2;
    await store("soon", 0, [text("e")], new Date(0).toISOString());
    await kept.prune();
    expect(await stores.runEvents.count({ runId: "soon" })).to.equal(1);
    clock.time += minute;
    await kept.prune();
    expect(await stores.runEvents.count({ runId: "soon" })).to.equal(0);
  });
});
