import { expect } from "chai";
import { KeyedQueue } from "@pergola/sdk";

describe("turns", () => {
  it("do the work for one key in the order in which it came, whatever fails, and that for another key meanwhile", async () => {
    const turns = new KeyedQueue();
    const said: string[] = [];
    const gates = new Map<string, () => void>();
    const work = (key: string, name: string, failure?: Error) =>
      turns.run(key, async () => {
        said.push(`${name} begins`);
        await new Promise<void>((open) => gates.set(name, open));
        said.push(`${name} ends`);
        if (failure !== undefined) throw failure;
        return name;
      });
    const first = work("a", "first", new Error("no luck")).catch((error: Error) => error.message);
    const second = work("a", "second");
    const other = work("b", "other");
    await Promise.resolve();
    expect(said).to.deep.equal(["first begins", "other begins"]);
    gates.get("other")?.();
    expect(await other).to.equal("other");
    gates.get("first")?.();
    expect(await first).to.equal("no luck");
    let idle = false;
    const rest = turns.idle().then(() => (idle = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect([said.at(-1), idle]).to.deep.equal(["second begins", false]);
    gates.get("second")?.();
    expect(await second).to.equal("second");
    await rest;
    expect(await turns.run("a", async () => "again")).to.equal("again");
  });
});
