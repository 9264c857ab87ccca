import { expect } from "chai";
import { toolContext } from "@pergola/sdk/testing";
import { Tickets, type Admitted } from "../../../core/cluster/tickets.ts";
import { MemoryStorage } from "../../../plugins/storage-memory/memory-storage.ts";

const use = { target: "north", method: "POST", url: "/api/chat/completions" };
const admitted = { caller: { id: "owner" }, peer: { address: "10.0.0.7" } } as unknown as Admitted;
const minutes = (count: number): number => count * 60_000;

describe("the tickets of requests that are handed on", () => {
  let now = 0;
  let tickets: Tickets;
  let count: () => Promise<number>;

  beforeEach(() => {
    now = Date.parse("2026-05-01T12:00:00Z");
    const storage = new MemoryStorage(toolContext().log);
    tickets = new Tickets(storage, { now: () => now });
    count = () => storage.collection("cluster/tickets", { indexes: ["madeAt"] }).count({});
  });

  it("are good once, for what they were made for", async () => {
    const id = await tickets.make(admitted, use);
    expect(await tickets.take(id, { ...use, method: "GET" })).to.equal(undefined);
    expect(await tickets.take(id, { ...use, target: "south" })).to.equal(undefined);
    expect(await tickets.take(id, use)).to.deep.equal(admitted);
    expect(await tickets.take(id, use)).to.equal(undefined);
  });

  it("are good for less than five minutes", async () => {
    const [early, late] = [await tickets.make(admitted, use), await tickets.make(admitted, use)];
    now += minutes(5) - 1;
    expect(await tickets.take(early, use)).to.deep.equal(admitted);
    now += 1;
    expect(await tickets.take(late, use)).to.equal(undefined);
  });

  it("are removed once nobody can use them any more, and no others", async () => {
    await tickets.make(admitted, use);
    now += minutes(3);
    const young = await tickets.make(admitted, use);
    now += minutes(3);
    await tickets.removeOld();
    expect(await count()).to.equal(1);
    expect(await tickets.take(young, use)).to.deep.equal(admitted);
  });
});
