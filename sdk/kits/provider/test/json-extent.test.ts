import { expect } from "chai";
import { JsonExtent } from "../json-extent.ts";

describe("where a JSON text in pieces ends (R1)", () => {
  const closedAfter = (pieces: readonly string[]): readonly boolean[] => {
    const extent = new JsonExtent();
    return pieces.map((piece) => {
      extent.take(piece);
      return extent.isClosed;
    });
  };

  it("R1: is closed where every bracket is, those in strings left out, wherever it is cut", () => {
    const text = String.raw`{"a":"}\"]\\","b":[{"c":"{"}]}`;
    const expected = [...text].map((_, index) => index === text.length - 1);
    expect(closedAfter([...text])).to.deep.equal(expected);
    for (let at = 1; at < text.length; at++)
      expect(closedAfter([text.slice(0, at), text.slice(at)]), String(at)).to.deep.equal([false, true]);
  });

  it("R1: is never closed before it has begun, nor where brackets do not fit", () => {
    expect(closedAfter(["", "words ", "}", "{"])).to.deep.equal([false, false, false, true]);
    expect(closedAfter(["}"])).to.deep.equal([false]);
  });
});
