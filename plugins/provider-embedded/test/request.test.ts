import { expect } from "chai";
import { findDates } from "../request/dates.ts";
import { isPathLike } from "../request/path-like.ts";
import { plainText, readRequest } from "../request/read-request.ts";
import { commonKind, isOfKind } from "../request/value-kinds.ts";

const keysOf = (text: string): readonly string[] =>
  readRequest(text)
    .pieces.filter(({ isFree }) => !isFree)
    .map(({ key }) => key);

describe("a request", () => {
  it("is read without greeting and courtesy", () => {
    expect(plainText("Hello, can you please read a.txt for me? Thanks!")).to.equal("read a.txt");
    expect(plainText("I'd like you to delete b.txt please")).to.equal("delete b.txt");
    expect(plainText("hello")).to.equal("hello");
    expect(plainText("thanks")).to.equal("thanks");
  });

  it("keeps quoted text as one piece, letter by letter", () => {
    const [, quoted] = readRequest("append “good night, Bob” to a.txt").pieces;
    expect(quoted?.quoted).to.equal("good night, Bob");
  });

  it("takes the forms of a word for one", () => {
    expect(keysOf("what's listed on the to-dos?")).to.deep.equal(keysOf("what is list in my todo"));
    expect(keysOf("Anna's files")).to.deep.equal(["anna", "'s", "fil"]);
  });

  it("knows dates by the person's clock", async () => {
    const now = Date.UTC(2026, 10, 20, 10, 14);
    const valuesIn = async (text: string) => (await findDates(text, now)).map(({ value }) => value);
    expect(await valuesIn("tomorrow at 3 pm")).to.deep.equal(["2026-11-21T15:00:00"]);
    expect(await valuesIn("due on 24 December 2026")).to.deep.equal(["2026-12-24"]);
    expect(await valuesIn("no date here")).to.deep.equal([]);
  });
});

describe("kinds of values", () => {
  it("tell paths from words", () => {
    expect(
      ["a.txt", ".env", "~/x", "../y", "Makefile", "src/a b.ts"].filter((token) => !isPathLike(token)),
    ).to.deep.equal([]);
    expect(["and/or", "Node.js", "e.g.", "1/2", "word", "example.com"].filter(isPathLike)).to.deep.equal([]);
  });

  it("tell sums from sentences that begin with a number", () => {
    expect(
      ["2+2", "12 * (3 + 4)", "sqrt(144)", "15% of 80"].every((value) => isOfKind(value, "sum")),
    ).to.equal(true);
    expect(["15% tip on a bill of 60", "3 apples", "2"].some((value) => isOfKind(value, "sum"))).to.equal(
      false,
    );
  });

  it("are what all examples have in common", () => {
    expect(commonKind(["parseConfig", "MAX_SIZE"])).to.equal("code");
    expect(commonKind(["Berlin", "Portland, Oregon"])).to.equal("proper");
    expect(commonKind(["foo", "bar"])).to.equal("word");
    expect(commonKind(["foo"])).to.equal("text");
    expect(commonKind(["foo", "a longer text"])).to.equal("text");
  });
});
