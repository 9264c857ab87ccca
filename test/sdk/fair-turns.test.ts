import { expect } from "chai";
import { setImmediate } from "node:timers/promises";
import { FairTurns } from "../../sdk/provider/fair-turns.ts";

const piece = 64 * 1024;

describe("turns for large pieces of answers", () => {
  it("R1: twenty answers that never wait leave the event loop to others every few pieces", async () => {
    const turns = new FairTurns();
    let done = 0;
    const answer = async (): Promise<void> => {
      for (let count = 0; count < 20; count += 1) {
        await turns.take(piece);
        done += 1;
      }
    };
    const answers = Promise.all(Array.from({ length: 20 }, answer));
    const inOneTurn: number[] = [];
    for (let before = done; done < 400; before = done) {
      await setImmediate();
      inOneTurn.push(done - before);
    }
    await answers;
    expect(Math.max(...inOneTurn)).to.be.at.most(8);
  });

  it("R1: lets nobody wait longer than those who came later", async () => {
    const turns = new FairTurns();
    const order: number[] = [];
    const take = async (name: number): Promise<void> => {
      await turns.take(piece);
      order.push(name);
    };
    await Promise.all(Array.from({ length: 30 }, (_, name) => take(name)));
    expect(order).to.deep.equal(order.toSorted((a, b) => a - b));
  });

  it("takes no turn for the pieces that tokens arrive in", () => {
    const turns = new FairTurns();
    for (let count = 0; count < 100_000; count += 1) expect(turns.take(200)).to.equal(undefined);
  });
});
