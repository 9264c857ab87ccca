import { expect } from "chai";
import { findDates } from "../marks/dates.ts";
import { findMarks } from "../marks/find-marks.ts";
import { isDirectoryLike, isPathLike } from "../marks/path-like.ts";

const marksOf = (text: string): readonly string[] =>
  findMarks(text).map(({ kind, value, loose }) => `${kind}${loose === true ? "?" : ""} ${value}`);

describe("marks", () => {
  const table: readonly (readonly [string, readonly string[]])[] = [
    ['write "a, b" to src/a.txt.', ["text a, b", "path src/a.txt"]],
    ["it's Bob's 'x' thing", ["text x"]],
    ["write this to a.c:\n```c\nint x;\n```", ["path a.c", "text int x;\n"]],
    ["save the following in b.md: buy milk", ["path b.md", "text buy milk"]],
    ["open https://example.org/a?b=1.", ["url https://example.org/a?b=1"]],
    ["more of res_0123456789abcdef", ["id res_0123456789abcdef"]],
    ["grep /v\\d+/ in lib", ["regex v\\d+", "path? lib"]],
    ["all src/**/*.ts files", ["glob src/**/*.ts"]],
    ["every .png and the python files", ["extension .png", "extension .py"]],
    ["files ending in .bak", ["glob **/*.bak"]],
    ["what is in the docs folder", ["path docs"]],
    ["list this folder", ["here ."]],
    ["a folder called images", ["name images"]],
    ["who calls sendMail() and MAX_SIZE", ["symbol sendMail", "symbol MAX_SIZE"]],
    ["lines 5-12 and the 3rd", ["number 5", "number 12", "number 3"]],
    ["yes and/or no, e.g. Node.js at 3/4", ["number 3", "number 4"]],
  ];
  for (const [text, expected] of table) {
    it(`are found in “${text.replaceAll("\n", " ")}”`, () => {
      expect(marksOf(text)).to.deep.equal(expected);
    });
  }

  it("know paths from words", () => {
    expect(
      ["a.txt", ".env", "~/x", "../y", "Makefile", "src/a b.ts"].filter((token) => !isPathLike(token)),
    ).to.deep.equal([]);
    expect(["and/or", "Node.js", "e.g.", "1/2", "word", "example.com"].filter(isPathLike)).to.deep.equal([]);
    expect(["src", "a/b/", ".."].every(isDirectoryLike)).to.equal(true);
    expect(["a.txt", ".gitignore", "Makefile"].some(isDirectoryLike)).to.equal(false);
  });

  it("know dates by the person's clock", async () => {
    const now = Date.UTC(2026, 10, 20, 10, 14);
    const valuesIn = async (text: string) => (await findDates(text, now)).map(({ value }) => value);
    expect(await valuesIn("tomorrow at 3 pm")).to.deep.equal(["2026-11-21T15:00:00"]);
    expect(await valuesIn("due on 24 December 2026")).to.deep.equal(["2026-12-24"]);
    expect(await valuesIn("no date here")).to.deep.equal([]);
  });
});
