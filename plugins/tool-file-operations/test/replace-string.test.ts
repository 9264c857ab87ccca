import { expect } from "chai";
import { workspace } from "./context.ts";

describe("replace_string", () => {
  const args = { filePath: "a.txt", oldString: "foo", newString: "bar" };

  it("replaces one match", async () => {
    const { data, text } = workspace({ "a.txt": "a foo b" });
    expect(await data("replace_string", args)).to.deep.equal({ filePath: "a.txt", replacementCount: 1 });
    expect(text("a.txt")).to.equal("a bar b");
  });

  it("T06: fails for several matches, with their number and lines, and changes nothing", async () => {
    const { failure, text } = workspace({ "a.txt": "foo\nx\nfoo foo\n" });
    const error = await failure("replace_string", args);
    expect(error.code).to.equal("ambiguous_match");
    expect(error.message).to.contain("3 times");
    expect(error.message).to.contain("1, 3, 3");
    expect(error.fields).to.deep.equal({ matchCount: 3, lines: [1, 3, 3] });
    expect(text("a.txt")).to.equal("foo\nx\nfoo foo\n");
  });

  it("replaces all on request, or the expected number", async () => {
    const { data, put, text } = workspace({ "a.txt": "foo foo" });
    expect(await data("replace_string", { ...args, replaceAll: true })).to.include({ replacementCount: 2 });
    put("a.txt", "foo foo");
    expect(await data("replace_string", { ...args, expectedReplacements: 2 })).to.include({
      replacementCount: 2,
    });
    expect(text("a.txt")).to.equal("bar bar");
  });

  for (const [content, expectedReplacements, code] of [
    ["foo foo", 1, "ambiguous_match"],
    ["foo foo", 3, "ambiguous_match"],
    ["foo", 2, "invalid_value"],
  ] as const) {
    it(`fails when ${expectedReplacements} are expected in ${content}, with replaceAll too`, async () => {
      const { failure, text } = workspace({ "a.txt": content });
      for (const replaceAll of [false, true]) {
        expect(
          (await failure("replace_string", { ...args, expectedReplacements, replaceAll })).code,
        ).to.equal(code);
      }
      expect(text("a.txt")).to.equal(content);
    });
  }

  it("counts matches that overlap as several", async () => {
    const { failure } = workspace({ "a.txt": "aaa" });
    expect(
      (await failure("replace_string", { filePath: "a.txt", oldString: "aa", newString: "b" })).code,
    ).to.equal("ambiguous_match");
  });

  it("fails without a match and points at a line that begins alike", async () => {
    const { failure, text } = workspace({ "a.ts": "function a() {\n\treturn 1;\n}\n" });
    const error = await failure("replace_string", {
      filePath: "a.ts",
      oldString: "  return 1;\n}",
      newString: "x",
    });
    expect(error.code).to.equal("not_found");
    expect(error.hint).to.contain("Line 2");
    expect(text("a.ts")).to.equal("function a() {\n\treturn 1;\n}\n");
  });

  it("takes $ and other signs literally", async () => {
    const { run, text } = workspace({ "a.txt": "price: (x)" });
    await run("replace_string", { filePath: "a.txt", oldString: "(x)", newString: "$& $1 $$" });
    expect(text("a.txt")).to.equal("price: $& $1 $$");
  });

  it("matches and keeps CRLF when the text is given with LF", async () => {
    const { run, text } = workspace({ "a.txt": "one\r\ntwo\r\nthree\r\n" });
    await run("replace_string", { filePath: "a.txt", oldString: "one\ntwo", newString: "1\n2" });
    expect(text("a.txt")).to.equal("1\r\n2\r\nthree\r\n");
  });

  it("leaves mixed line ends as they are", async () => {
    const { run, text } = workspace({ "a.txt": "one\r\ntwo\nthree" });
    await run("replace_string", { filePath: "a.txt", oldString: "two\n", newString: "2\n" });
    expect(text("a.txt")).to.equal("one\r\n2\nthree");
  });

  it("keeps a byte order mark and characters of other scripts", async () => {
    const { run, text } = workspace({ "a.txt": "\ufeff日本 🙂" });
    await run("replace_string", { filePath: "a.txt", oldString: "🙂", newString: "語" });
    expect(text("a.txt")).to.equal("\ufeff日本 語");
  });

  it("does not damage files that are not UTF-8, or binary", async () => {
    const { failure } = workspace({
      "latin.txt": new Uint8Array([0x66, 0x6f, 0x6f, 0xe9]),
      "a.bin": "foo\0",
    });
    expect((await failure("replace_string", { ...args, filePath: "latin.txt" })).message).to.contain("UTF-8");
    expect((await failure("replace_string", { ...args, filePath: "a.bin" })).fields).to.deep.equal({
      isBinary: true,
    });
  });

  it("does not lose an edit when several run at once", async () => {
    const { run, text } = workspace({
      "a.txt": Array.from({ length: 10 }, (_, index) => `<${index}>`).join(""),
    });
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        run("replace_string", { filePath: "a.txt", oldString: `<${index}>`, newString: `[${index}]` }),
      ),
    );
    expect(text("a.txt")).to.equal(Array.from({ length: 10 }, (_, index) => `[${index}]`).join(""));
  });

  for (const [content, outcome] of [
    ["a foo", "did_not_happen"],
    ["a bar", "happened"],
    ["foo bar", "unknown"],
    ["neither", "unknown"],
  ] as const) {
    it(`after a crash takes ${content} as ${outcome}`, async () => {
      expect(await workspace({ "a.txt": content }).outcome("replace_string", args)).to.equal(outcome);
    });
  }

  it("after a crash does not guess when the new text holds the old one", async () => {
    const grown = { filePath: "a.txt", oldString: "foo", newString: "foo2" };
    expect(await workspace({ "a.txt": "foo" }).outcome("replace_string", grown)).to.equal("did_not_happen");
    expect(await workspace({ "a.txt": "foo2" }).outcome("replace_string", grown)).to.equal("unknown");
    expect(await workspace().outcome("replace_string", grown)).to.equal("unknown");
  });
});
