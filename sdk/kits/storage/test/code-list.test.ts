import { expect } from "chai";
import { CodeList, codeOf } from "../index.ts";

/** Numbers from 0 to 1 that are the same in each run (Lehmer's generator). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

describe("codes of vectors", () => {
  it("hold the signs", () => {
    expect([
      ...codeOf(new Float32Array([1, -1, 0, 0.5, ...new Array<number>(28).fill(-1), 1])),
    ]).to.deep.equal([0b1001, 1]);
  });

  it("are compared bit by bit: the nearest come with all that are as near as the last", () => {
    const list = new CodeList(2);
    const codes = [
      [0, 0],
      [1, 0],
      [0xffffffff, 0x80000000],
      [0, 3],
      [2, 0],
    ];
    for (const [row, code] of codes.entries())
      list.append(row + 1, Buffer.from(Uint32Array.from(code).buffer));
    const nearest = (wanted: number) => list.nearest(Uint32Array.from([0, 0]), wanted);
    expect([nearest(1), nearest(2), nearest(4), nearest(9)]).to.deep.equal([
      [1],
      [1, 2, 5],
      [1, 2, 4, 5],
      [1, 2, 3, 4, 5],
    ]);
    expect(list.lastRow).to.equal(5);
    expect(new CodeList(2).nearest(Uint32Array.from([0, 0]), 3)).to.deep.equal([]);
  });

  it("are counted right for any number of words and bits", () => {
    const random = randomFrom(3);
    const code = (words: number) => Uint32Array.from({ length: words }, () => Math.floor(random() * 2 ** 32));
    const bits = (a: Uint32Array, b: Uint32Array) =>
      a.reduce(
        (sum, word, index) => sum + ((word ^ b[index]!) >>> 0).toString(2).replaceAll("0", "").length,
        0,
      );
    for (const words of [1, 2, 3, 4, 5, 12, 24]) {
      const list = new CodeList(words);
      const codes = [
        ...Array.from({ length: 200 }, () => code(words)),
        new Uint32Array(words).fill(0xffffffff),
        new Uint32Array(words),
      ];
      for (const [row, one] of codes.entries()) list.append(row + 1, Buffer.from(one.buffer));
      for (const asked of [code(words), new Uint32Array(words)]) {
        const distances = codes.map((one) => bits(one, asked));
        const tenth = distances.toSorted((a, b) => a - b)[9]!;
        const right = distances.flatMap((distance, index) => (distance <= tenth ? [index + 1] : []));
        expect(list.nearest(asked, 10)).to.deep.equal(right);
      }
    }
  });
});
