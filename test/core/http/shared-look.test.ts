import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setImmediate, setTimeout as after } from "node:timers/promises";
import { expect } from "chai";
import { readAside } from "../../../core/http/read-aside.ts";
import { sharedLook } from "../../../core/http/shared-look.ts";

/** Keeps this thread busy. */
function work(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

describe("looks at the system that are shared", () => {
  const clock = Object.getOwnPropertyDescriptor(performance, "now");
  afterEach(() => {
    if (clock === undefined) Reflect.deleteProperty(performance, "now");
    else Object.defineProperty(performance, "now", clock);
  });

  it("one serves all who ask before it begins, and none who asks later", async () => {
    let count = 0;
    const look = sharedLook(() => ++count);
    expect(await Promise.all([look(), look(), look()])).to.deep.equal([1, 1, 1]);
    expect(await look()).to.equal(2);
  });

  it("after a long one they are taken aside, one after the other (R12)", async () => {
    let now = 0;
    performance.now = () => now;
    const places: string[] = [];
    let underWay = 0;
    let goOn = (): void => undefined;
    const allowed = new Promise<void>((resolve) => (goOn = resolve));
    const look = sharedLook(
      () => {
        now += 20;
        return places.push("here");
      },
      async () => {
        underWay += 1;
        expect(underWay).to.equal(1);
        await allowed;
        underWay -= 1;
        return places.push("aside");
      },
    );
    await look();
    const second = look();
    while (underWay === 0) await setImmediate();
    const third = look();
    goOn();
    const [one, other] = await Promise.all([second, third]);
    expect(places).to.deep.equal(["here", "aside", "aside"]);
    expect([one, other]).to.deep.equal([2, 3]);
    await look();
    expect(places, "short again").to.deep.equal(["here", "aside", "aside", "here"]);
  });

  it("rare long ones are taken here, and aside once little time for more is left", async () => {
    let now = 0;
    performance.now = () => now;
    const look = sharedLook(
      () => {
        now += 10;
        return "here";
      },
      () => Promise.resolve("aside"),
    );
    const places: string[] = [];
    for (let count = 0; count < 5; count++) places.push(await look());
    expect(places).to.deep.equal(["here", "here", "here", "here", "aside"]);
  });

  it("one for a crowd is taken aside at once, one for a few is not (R12)", async () => {
    const look = sharedLook(
      () => "here",
      () => Promise.resolve("aside"),
    );
    const crowd = await Promise.all(Array.from({ length: 100 }, () => look()));
    expect(new Set(crowd)).to.deep.equal(new Set(["aside"]));
    const few = await Promise.all([look(), look()]);
    expect(few).to.deep.equal(["here", "here"]);
  });

  it("they take a tenth of the time in the long run, however often one is asked for (F19)", async () => {
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

  it("one that fails tells it to those who asked, and the next looks again (F19)", async () => {
    let looks = 0;
    const look = sharedLook(() => {
      looks += 1;
      if (looks === 1) throw new Error("gone");
      return looks;
    });
    const fault = await look().catch(String);
    await after(5);
    expect([fault, await look()]).to.deep.equal(["Error: gone", 2]);
  });

  it("where there is no other way, looks beyond a tenth of the time wait", async () => {
    const look = sharedLook(() => work(60));
    await look();
    const begun = performance.now();
    await look();
    expect(performance.now() - begun).to.be.at.least(90);
  });

  it("one taken aside that fails, fails for those who asked for it, not for the next", async () => {
    let fails = true;
    const look = sharedLook(
      () => work(70),
      () => (fails ? Promise.reject(new Error("no descriptor")) : Promise.resolve()),
    );
    await look();
    const failed = await look().catch((error: unknown) => error);
    expect(failed).to.have.property("message", "no descriptor");
    fails = false;
    await look();
  });

  it("a file is read in a thread of its own; what cannot be read rejects", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "pergola-aside-"));
    try {
      const file = path.join(folder, "table");
      writeFileSync(file, "a table");
      const [text, missing] = await Promise.all([
        readAside(file),
        readAside(`${file}-not-there`).catch(({ message }: Error) => message.slice(0, 6)),
      ]);
      expect([text, missing]).to.deep.equal(["a table", "ENOENT"]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
