import { expect } from "chai";
import { sharedRead } from "../../../core/http/shared-read.ts";

describe("a shared read", () => {
  it("serves all who asked before it began, and nobody who came later", async () => {
    let count = 0;
    const read = sharedRead(async () => {
      const number = ++count;
      await new Promise((resolve) => setTimeout(resolve, 5));
      return number;
    });
    const early = [read(), read()];
    await new Promise((resolve) => setTimeout(resolve, 1));
    const late = [read(), read()];
    expect(await Promise.all([...early, ...late])).to.deep.equal([1, 1, 2, 2]);
  });

  it("goes on after one that failed", async () => {
    let isDown = true;
    const read = sharedRead(async () => {
      if (isDown) throw new Error("down");
      return "up";
    });
    expect(await read().catch((error: Error) => error.message)).to.equal("down");
    isDown = false;
    expect(await read()).to.equal("up");
  });
});
