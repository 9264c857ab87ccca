import { expect } from "chai";
import { Turnstile } from "../turnstile.ts";

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("many runs that begin at once", () => {
  it("R12: begin one in each turn of the event loop, in order", async () => {
    const turnstile = new Turnstile();
    const passed: number[] = [];
    const all = [1, 2, 3, 4].map((number) => turnstile.pass().then(() => passed.push(number)));
    await Promise.resolve();
    expect(passed).to.deep.equal([1]);
    await turn();
    expect(passed).to.deep.equal([1, 2]);
    await Promise.all(all);
    expect(passed).to.deep.equal([1, 2, 3, 4]);
  });

  it("R12: do not wait where there is one alone", async () => {
    const turnstile = new Turnstile();
    for (let round = 0; round < 2; round++) {
      let hasPassed = false;
      void turnstile.pass().then(() => (hasPassed = true));
      await Promise.resolve();
      await Promise.resolve();
      expect(hasPassed).to.equal(true);
      await turn();
      await turn();
    }
  });
});
