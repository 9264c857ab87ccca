import { symlinkSync } from "node:fs";
import { expect } from "chai";
import { workspace } from "./context.ts";
import { ignoring, tree } from "./trees.ts";

interface Grep {
  readonly matches: readonly {
    readonly filePath: string;
    readonly lineNumber: number;
    readonly lineText: string;
    readonly matchText: string;
  }[];
  readonly totalCount: number;
}

const found = ({ matches }: Grep): readonly string[] => matches.map(({ filePath }) => filePath);

describe("grep_search", () => {
  it("finds lines with the exact text, one match for each line", async () => {
    const { data } = workspace(tree);
    const { matches, totalCount } = await data<Grep>("grep_search", { query: "needle" });
    expect(totalCount).to.equal(4);
    expect(matches[1]).to.deep.equal({
      filePath: "src/a.ts",
      lineNumber: 2,
      lineText: "const needle = x;",
      matchText: "needle",
    });
    expect(matches.map(({ filePath, lineNumber }) => `${filePath}:${lineNumber}`)).to.deep.equal([
      "README.md:2",
      "src/a.ts:2",
      "src/deep/b.js:1",
      "src/deep/b.js:2",
    ]);
  });

  it("T05: honours isRegexp", async () => {
    const { data } = workspace({ "a.txt": "a.c\nabc\n" });
    expect((await data<Grep>("grep_search", { query: "a.c" })).totalCount).to.equal(1);
    const { matches } = await data<Grep>("grep_search", { query: "a.c", isRegexp: true });
    expect(matches.map(({ matchText }) => matchText)).to.deep.equal(["a.c", "abc"]);
  });

  it("T05: honours includePattern", async () => {
    const { data } = workspace(tree);
    expect(found(await data("grep_search", { query: "needle", includePattern: "*.ts" }))).to.deep.equal([
      "src/a.ts",
    ]);
    expect(
      found(await data("grep_search", { query: "needle", includePattern: "src/**/*.js" })),
    ).to.deep.equal(["src/deep/b.js", "src/deep/b.js"]);
    expect(found(await data("grep_search", { query: "needle", includePattern: "*.{md,ts}" }))).to.deep.equal([
      "README.md",
      "src/a.ts",
    ]);
    expect(found(await data("grep_search", { query: "needle", includePattern: "deep" }))).to.have.length(2);
  });

  it("T05: honours maxResults and still counts all", async () => {
    const { run } = workspace(tree);
    const { data, message } = await run("grep_search", { query: "needle", maxResults: 1 });
    expect((data as unknown as Grep).matches).to.have.length(1);
    expect(data).to.include({ totalCount: 4 });
    expect(message).to.contain("first 1");
  });

  it("searches in a folder or in one file", async () => {
    const { data } = workspace(tree);
    expect(found(await data("grep_search", { query: "needle", directory: "src/deep" }))).to.deep.equal([
      "src/deep/b.js",
      "src/deep/b.js",
    ]);
    expect(found(await data("grep_search", { query: "needle", directory: "README.md" }))).to.deep.equal([
      "README.md",
    ]);
  });

  it("distinguishes case, unless the expression says otherwise", async () => {
    const { data } = workspace(tree);
    expect(found(await data("grep_search", { query: "Needle" }))).to.deep.equal(["src/deep/c.TXT"]);
    expect((await data<Grep>("grep_search", { query: "(?i)NEEDLE", isRegexp: true })).totalCount).to.equal(5);
  });

  it("knows anchors per line, with CRLF too", async () => {
    const { data } = workspace({ "a.txt": "one two\r\ntwo\r\n" });
    const { matches } = await data<Grep>("grep_search", { query: "^two$", isRegexp: true });
    expect(matches).to.deep.equal([{ filePath: "a.txt", lineNumber: 2, lineText: "two", matchText: "two" }]);
  });

  it("finds text over several lines", async () => {
    const { data } = workspace({ "a.txt": "x\none\ntwo\none\ntwo\n" });
    const { matches } = await data<Grep>("grep_search", { query: "one\ntwo" });
    expect(matches.map(({ lineNumber }) => lineNumber)).to.deep.equal([2, 4]);
  });

  it("finds characters of other scripts", async () => {
    const { data } = workspace({ "日本/語.txt": "これは針です 🙂\n" });
    expect(found(await data("grep_search", { query: "針" }))).to.deep.equal(["日本/語.txt"]);
    expect(
      (await data<Grep>("grep_search", { query: "は.で", isRegexp: true })).matches[0]?.matchText,
    ).to.equal("は針で");
  });

  it("leaves out .git, ignored files and binary files, nested rules included", async () => {
    const { data } = workspace({ ...ignoring, "a.bin": "needle\0needle" });
    expect(found(await data("grep_search", { query: "needle" }))).to.deep.equal([
      "keep.log",
      "plain.txt",
      "sub/app.log",
      "sub/dist/in.js",
    ]);
  });

  it("obeys .git/info/exclude", async () => {
    const { data } = workspace({
      ".git/info/exclude": "mine.txt\n",
      "mine.txt": "needle",
      "yours.txt": "needle",
    });
    expect(found(await data("grep_search", { query: "needle" }))).to.deep.equal(["yours.txt"]);
  });

  for (const [includePattern, files] of [
    ["secret.txt", ["secret.txt"]],
    ["dist/**", ["dist/out.js"]],
    [".git/config", [".git/config"]],
    ["*.log", ["app.log", "keep.log", "sub/app.log"]],
    ["*.txt", ["plain.txt"]],
    ["**/*", ["keep.log", "plain.txt", "sub/app.log", "sub/dist/in.js"]],
  ] as const) {
    it(`looks into what includePattern ${includePattern} names`, async () => {
      const { data } = workspace(ignoring);
      expect(found(await data("grep_search", { query: "needle", includePattern }))).to.deep.equal(files);
    });
  }

  it("looks into a binary file that includePattern names", async () => {
    const { data } = workspace({ "a.bin": "xx\0needle" });
    expect(found(await data("grep_search", { query: "needle", includePattern: "a.bin" }))).to.deep.equal([
      "a.bin",
    ]);
    expect(found(await data("grep_search", { query: "needle", includePattern: "*" }))).to.deep.equal([]);
  });

  it("looks into an ignored folder that is named as directory", async () => {
    const { data } = workspace(ignoring);
    expect(found(await data("grep_search", { query: "needle", directory: "dist" }))).to.deep.equal([
      "dist/out.js",
    ]);
  });

  it("obeys the rules of the folders above the one it searches", async () => {
    const { data } = workspace(ignoring);
    expect(found(await data("grep_search", { query: "needle", directory: "sub" }))).to.deep.equal([
      "sub/app.log",
      "sub/dist/in.js",
    ]);
  });

  it("CVE-2025-53109: does not follow links out of the working directory", async () => {
    const { data, path } = workspace({ "a.txt": "root" });
    symlinkSync("/etc", path("etc"));
    symlinkSync("/etc/passwd", path("passwd"));
    expect(found(await data("grep_search", { query: "root" }))).to.deep.equal(["a.txt"]);
  });

  it("survives a circle of links", async () => {
    const { data, path } = workspace({ "a/b.txt": "needle" });
    symlinkSync(path("a"), path("a/again"));
    expect((await data<Grep>("grep_search", { query: "needle" })).totalCount).to.equal(1);
  });

  it("shows of a very long line the part around the match", async () => {
    const { data } = workspace({ "min.js": `${"x".repeat(50_000)}needle${"y".repeat(50_000)}` });
    const [match] = (await data<Grep>("grep_search", { query: "needle" })).matches;
    expect(match?.lineText).to.match(/^…x+needley+…$/);
    expect(match?.lineText.length).to.be.below(1100);
  });

  it("numbers lines right in a file of several blocks", async () => {
    const filler = "a line of some length that fills the block\n".repeat(60_000);
    const { data } = workspace({ "big.txt": `${filler}needle\n${filler}needle` });
    for (const isRegexp of [false, true]) {
      const { matches } = await data<Grep>("grep_search", { query: "needle", isRegexp });
      expect(matches.map(({ lineNumber }) => lineNumber)).to.deep.equal([60_001, 120_002]);
    }
  });

  it("finds a file whose name begins with a tilde", async () => {
    const { data } = workspace({ "~notes.txt": "needle" });
    const [match] = (await data<Grep>("grep_search", { query: "needle" })).matches;
    expect(match?.filePath).to.equal("./~notes.txt");
    expect(
      (await workspace({ "~notes.txt": "x" }).run("read_file", { filePath: "./~notes.txt" })).content,
    ).to.equal("x");
  });

  it("says what it cannot do with an expression", async () => {
    const error = await workspace(tree).failure("grep_search", { query: "(?=x)", isRegexp: true });
    expect(error.code).to.equal("invalid_value");
    expect(error.hint).to.contain("RE2");
  });

  it("fails for a folder that is not there", async () => {
    expect((await workspace(tree).failure("grep_search", { query: "x", directory: "none" })).code).to.equal(
      "file_not_found",
    );
  });

  it("stops at once when the call is cancelled", async () => {
    const { run } = workspace(tree);
    const stop = new AbortController();
    stop.abort(new Error("stopped"));
    const error: unknown = await run("grep_search", { query: "needle" }, { signal: stop.signal }).catch(
      (reason: unknown) => reason,
    );
    expect(error).to.have.property("message", "stopped");
  });

  it("is also called get_search_results", async () => {
    expect((await workspace(tree).data<Grep>("get_search_results", { query: "needle" })).totalCount).to.equal(
      4,
    );
  });
});
