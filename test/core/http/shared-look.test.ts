import { expect } from "chai";
import { sharedLook } from "../../../core/http/shared-look.ts";

const work = (milliseconds: number): void => {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
};

describe("a look at the system that many share", () => {
  it("is taken once for all who have asked before it begins, and anew for who asks later", async () => {
    let looks = 0;
    const look = sharedLook(() => (looks += 1));
    expect(await Promise.all([look(), look()])).to.deep.equal([1, 1]);
    expect(await look()).to.equal(2);
  });

  it("leaves most of the time to others however many ask one after the other", async () => {
    let looks = 0;
    const look = sharedLook(() => {
      looks += 1;
      work(20);
    });
    const begun = performance.now();
    const asked: Promise<void>[] = [];
    while (performance.now() - begun < 400) {
      asked.push(look());
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await Promise.all(asked);
    expect(asked.length).to.be.above(looks);
    expect(looks * 20).to.be.below((performance.now() - begun) / 2);
  });

  it("that fails fails for who has asked for it", async () => {
    let looks = 0;
    const look = sharedLook(() => {
      if (++looks === 1) throw new Error("no descriptor is left");
      return looks;
    });
    expect(await look().catch((error: Error) => error.message)).to.equal("no descriptor is left");
    expect(await look()).to.equal(2);
  });
});
