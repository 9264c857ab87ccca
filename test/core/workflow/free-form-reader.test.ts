import { expect } from "chai";
import { FreeFormReader } from "../../../core/workflow/free-form-reader.ts";

const patch = '*** Begin Patch\n+\t"größer" \\ 😀 \u2028\n*** End Patch\n';

/** Every way to read a text in two pieces, and character by character. */
function waysToRead(text: string): readonly (readonly string[])[] {
  const inTwo = Array.from({ length: text.length + 1 }, (_, at) => [text.slice(0, at), text.slice(at)]);
  return [...inTwo, text.split("")];
}

function expectText(args: string, expected: string): void {
  for (const pieces of waysToRead(args)) {
    const reader = new FreeFormReader();
    const read = pieces.map((piece) => reader.push(piece));
    expect(read.join(""), JSON.stringify(pieces)).to.equal(expected);
    for (const text of read)
      expect(text, "no half characters").to.not.match(/^[\udc00-\udfff]|[\ud800-\udbff]$/);
  }
}

const escapeAll = (text: string): string =>
  text.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

describe("the free text of a call, as it comes (C8)", () => {
  it("is read out of its JSON, wherever that is split", () => {
    expectText(JSON.stringify({ input: patch }), patch);
    expectText(` {\n"input" : "${escapeAll(patch)}" } `, patch);
  });

  it("is what a model writes without JSON around it", () =>
    expectText(patch.split("😀").join(""), patch.replace("😀", "")));

  it("is read as far as it goes where it is cut off", () =>
    expectText('{"input":"one\\ntwo\\u00', "one\ntwo"));

  it("may hold line feeds that should have been escaped", () =>
    expectText('{"input":"one\ntwo"}', "one\ntwo"));

  it("is not read out of other JSON", () => {
    expectText('{"patch":"one"}', "");
    expectText('{"input":{"text":"one"}}', "");
  });

  it("comes with the piece that holds it", () => {
    const reader = new FreeFormReader();
    expect(
      ['{"inp', 'ut":"', "one", "\\", "n", "two", '"}'].map((piece) => reader.push(piece)),
    ).to.deep.equal(["", "", "one", "", "\n", "two", ""]);
  });
});
