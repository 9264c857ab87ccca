import { expect } from "chai";
import type { RunEvent, Write } from "@pergola/sdk";
import type { StoredRun } from "@pergola/sdk/host";
import { EventLog } from "../event-log.ts";
import { textsIn, unpackEvents } from "../packed-events.ts";

const run = { id: "run_1", conversationId: "c", status: "running", endedAt: null } as unknown as StoredRun;
const text = (words: string): RunEvent => ({ type: "text", text: words });
const title: RunEvent = { type: "title", title: "Tea" };

const storedIn = (writes: readonly Write[]) =>
  writes.flatMap((write) => ("put" in write ? [write.put as unknown as StoredEvents] : []));

interface StoredEvents {
  readonly from: number;
  readonly events: Parameters<typeof unpackEvents>[0];
}

async function numbersFrom(log: EventLog, after: number): Promise<readonly (readonly [number, RunEvent])[]> {
  const read: (readonly [number, RunEvent])[] = [];
  for await (const { number, event } of log.read(after)) {
    read.push([number, event]);
    if (number === log.count) break;
  }
  return read;
}

describe("the events of a run in memory (R1, R4)", () => {
  const pieces = Array.from({ length: 1000 }, (_, index) => text(`word ${index} `));
  const events = [...pieces.slice(0, 500), title, ...pieces.slice(500)];

  it("R1: gives every event back with its number, from anywhere, however they are held", async () => {
    const log = new EventLog([], true);
    for (const event of events) log.add(event);
    expect(log.count).to.equal(1001);
    for (const after of [0, 1, 63, 64, 65, 600, 895, 896, 897, 1000])
      expect(await numbersFrom(log, after)).to.deep.equal(
        events.slice(after).map((event, index) => [after + index + 1, event]),
      );
  });

  it("R1: stores a text once: with its message, and of the events where they begin and end", async () => {
    const log = new EventLog([], true);
    for (const event of events) log.add(event);
    const content = pieces.map((event) => (event as { readonly text: string }).text).join("");
    const message: Write = { collection: "messages", put: { id: "m1", role: "assistant", content } as never };
    const writes = log.writes(run, [message]);
    expect(JSON.stringify(writes)).to.not.include("word");
    const [{ events: packed = [] } = {}] = storedIn(writes);
    const textOf = await textsIn(packed, async () => ({ content }));
    expect(unpackEvents(packed, textOf)).to.deep.equal(events);
  });

  it("R1: lets a long text wait for its message, and stores it without one when the run is over", () => {
    const log = new EventLog([], true);
    for (const event of events) log.add(event);
    expect(log.writes(run)).to.deep.equal([]);
    const [stored] = storedIn(log.writes({ ...run, status: "interrupted" }));
    expect(stored?.from).to.equal(0);
    expect(unpackEvents(stored?.events ?? [])).to.deep.equal(events);
  });

  it("R1: reads what was stored before, event by event", () => {
    expect(unpackEvents([text("a"), title, text("b")])).to.deep.equal([text("a"), title, text("b")]);
  });

  it("R4: says that a reader is too slow once 8 MiB wait for it, and not while it reads", async () => {
    const log = new EventLog([], true);
    const slow = { slow: 0, quick: 0 };
    const quick = log.read(0, () => (slow.quick += 1))[Symbol.asyncIterator]();
    const idle = log.read(0, () => (slow.slow += 1))[Symbol.asyncIterator]();
    const first = [quick.next(), idle.next()];
    log.add(text("x"));
    await Promise.all(first);
    for (let count = 0; count < 9; count++) {
      expect(slow.slow).to.equal(0);
      const next = quick.next();
      log.add(text("x".repeat(1024 * 1024 - 1024)));
      await next;
    }
    log.add(text("x".repeat(1024 * 1024)));
    expect(slow).to.deep.equal({ slow: 1, quick: 0 });
  });

  it("are stored without what their run was asked: its record has it", async () => {
    const asked = { ...run, request: { messages: [], callerTools: ["many"] } } as unknown as StoredRun;
    const log = new EventLog([], true);
    log.add({ type: "state", run: asked });
    const outcome = { run: asked, error: null, text: "", reasoning: "", callerCalls: [] };
    const [stored] = storedIn(log.writes(asked, [], { type: "end", outcome } as unknown as RunEvent));
    expect(stored?.events.map(({ type }) => type)).to.deep.equal(["state", "end"]);
    expect(JSON.stringify(stored)).to.include('"run_1"');
    expect(JSON.stringify(stored)).to.not.include("many");
  });
});
