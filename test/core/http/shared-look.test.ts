import { setImmediate, setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { sharedLook } from "../../../core/http/shared-look.ts";

const work = (milliseconds: number): void => {
  for (const end = performance.now() + milliseconds; performance.now() < end;);
};

describe("a look at the system that is shared (F19)", () => {
  it("is taken once for all who ask before it begins, and again for whoever asks later", async () => {
    let looks = 0;
    const look = sharedLook(() => (looks += 1));
    expect(await Promise.all([look(), look(), look()])).to.deep.equal([1, 1, 1]);
    expect(await look()).to.equal(2);
  });

  it("takes a tenth of the time in the long run, however often it is asked for", async () => {
    const length = 30;
    let looks = 0;
    const look = sharedLook(() => {
      work(length);
      looks += 1;
    });
    const begun = performance.now();
    while (performance.now() - begun < 1000) {
      void look();
      await setImmediate();
    }
    expect(looks)
      .to.be.greaterThan(0)
      .and.at.most((50 + 0.1 * 1000) / length + 2);
  });

  it("tells a fault to those who asked, and looks again", async () => {
    let looks = 0;
    const look = sharedLook(() => {
      looks += 1;
      if (looks === 1) throw new Error("gone");
      return looks;
    });
    const fault = await look().catch(String);
    await setTimeout(5);
    expect([fault, await look()]).to.deep.equal(["Error: gone", 2]);
  });
});
