import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { Outbox, type Sent } from "../outbox.ts";

describe("the outbox", () => {
  const open = (send: (items: readonly string[]) => Sent | Promise<Sent>) => {
    const counts = { sent: 0, dropped: 0 };
    const batches: (readonly string[])[] = [];
    const outbox = new Outbox({
      send: async (items) => {
        batches.push(items);
        return send(items);
      },
      counted: (count, outcome) => (counts[outcome] += count),
      random: () => 0.5,
    });
    return { outbox, counts, batches };
  };

  it("sends what has gathered in batches, in order, and nothing more once it is stopped", async () => {
    const { outbox, counts, batches } = open(({ length }) => ({ taken: length }));
    for (let at = 0; at < 1200; at++) outbox.add(String(at));
    await outbox.stop();
    expect(batches.map(({ length }) => length)).to.deep.equal([512, 512, 176]);
    expect(batches.flat()).to.deep.equal(Array.from({ length: 1200 }, (_, at) => String(at)));
    outbox.add("late");
    await outbox.stop();
    expect(counts).to.deep.equal({ sent: 1200, dropped: 1 });
  });

  it("holds a bounded number of items while its receiver is slow, and counts the others", async () => {
    let answer = (_: Sent): void => undefined;
    const { outbox, counts, batches } = open(() => new Promise<Sent>((resolve) => (answer = resolve)));
    for (let at = 0; at < 512; at++) outbox.add("x");
    while (batches.length === 0) await setTimeout(1);
    for (let at = 0; at < 3000; at++) outbox.add("x");
    expect(counts).to.deep.equal({ sent: 0, dropped: 3000 - 2048 });
    const stopped = outbox.stop();
    let isOver = false;
    void stopped.then(() => (isOver = true));
    while (!isOver) {
      answer({ taken: 512 });
      await setTimeout(1);
    }
    expect(counts).to.deep.equal({ sent: 512 + 2048, dropped: 3000 - 2048 });
  });

  it("holds a bounded number of characters", async () => {
    const { outbox, counts } = open(({ length }) => ({ taken: length }));
    const item = "x".repeat(1024 * 1024);
    for (let at = 0; at < 20; at++) outbox.add(item);
    await outbox.stop();
    expect(counts).to.deep.equal({ sent: 16, dropped: 4 });
  });

  it("tries once more at its end, and drops what is refused", async () => {
    const { outbox, counts, batches } = open(() => ({ again: true }));
    outbox.add("x");
    await outbox.stop();
    expect(counts).to.deep.equal({ sent: 0, dropped: 1 });
    expect(batches).to.have.lengthOf(1);
    const other = open(() => ({ taken: 0 }));
    other.outbox.add("x");
    await other.outbox.stop();
    expect(other.counts).to.deep.equal({ sent: 0, dropped: 1 });
  });
});
