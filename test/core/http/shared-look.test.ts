import { expect } from "chai";
import { sharedLook } from "../../../core/http/shared-look.ts";

describe("looks at the system", () => {
  it("are one for all who asked before it began, and begin after they asked", async () => {
    const begun: ((seen: number) => void)[] = [];
    const look = sharedLook(() => new Promise<number>((resolve) => begun.push(resolve)));
    const first = look();
    await Promise.resolve();
    const others = Array.from({ length: 1000 }, look);
    expect(begun).to.have.length(1);
    begun[0]?.(1);
    expect(await first).to.equal(1);
    await Promise.resolve();
    expect(begun).to.have.length(2);
    begun[1]?.(2);
    expect(new Set(await Promise.all(others))).to.deep.equal(new Set([2]));
  });

  it("go on after one that failed", async () => {
    let count = 0;
    const look = sharedLook(async () => {
      if (++count === 1) throw new Error("gone");
      return count;
    });
    const [first, second] = [look(), Promise.resolve().then(look)];
    expect(await first.catch(({ message }: Error) => message)).to.equal("gone");
    expect(await second).to.equal(2);
  });
});
