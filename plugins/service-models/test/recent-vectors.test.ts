import { expect } from "chai";
import { RecentVectors } from "../recent-vectors.ts";

describe("the vectors made last", () => {
  const scene = () => {
    const asked: (readonly string[])[] = [];
    const recent = new RecentVectors();
    const get = async (texts: readonly string[], model = "m") => {
      const { vectors } = await recent.get({ model, texts }, async (missing) => {
        asked.push(missing);
        await Promise.resolve();
        if (missing.includes("broken")) throw new Error("no vector");
        return { model, vectors: missing.map((text) => Float32Array.of(text.length)) };
      });
      return vectors.map(([first]) => first);
    };
    return { recent, asked, get };
  };

  it("P2m: are those of each text once, also when it is asked for twice at once", async () => {
    const { asked, get } = scene();
    const all = await Promise.all([get(["a", "bb"]), get(["bb", "ccc"]), get(["a"], "other")]);
    expect(all).to.deep.equal([[1, 2], [2, 3], [1]]);
    expect(await get(["ccc", "a"])).to.deep.equal([3, 1]);
    expect(asked).to.deep.equal([["a", "bb"], ["ccc"], ["a"]]);
  });

  it("P2m: are made anew after a failure, and once another embedder may make them", async () => {
    const { recent, asked, get } = scene();
    const failed = await get(["broken"]).catch((error: Error) => error.message);
    expect(failed).to.equal("no vector");
    await get(["broken"]).catch(() => undefined);
    await get(["a"]);
    recent.clear();
    await get(["a"]);
    expect(asked).to.deep.equal([["broken"], ["broken"], ["a"], ["a"]]);
  });

  it("P2m: are a few hundred, and all of those that are asked for together", async () => {
    const { asked, get } = scene();
    const many = Array.from({ length: 400 }, (_, index) => "x".repeat(index));
    await get(["first"]);
    expect(await get(["first", ...many])).to.have.length(401);
    await get(["first"]);
    expect(asked.map(({ length }) => length)).to.deep.equal([1, 400, 1]);
  });
});
