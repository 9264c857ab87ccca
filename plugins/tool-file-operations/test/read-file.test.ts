import { expect } from "chai";
import fc from "fast-check";
import { operationNamed as workspaceOperation, workspace } from "./context.ts";

const numbered = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

describe("read_file", () => {
  it("returns the exact text beside the facts", async () => {
    const { run } = workspace({ "a.txt": "one\ntwo\n" });
    const { data, content } = await run("read_file", { filePath: "a.txt" });
    expect(content).to.equal("one\ntwo\n");
    expect(data).to.deep.equal({
      filePath: "a.txt",
      totalLines: 2,
      startLine: 1,
      returnedLines: 2,
      truncated: false,
      estimatedTokens: 2,
    });
  });

  it("keeps CRLF, a byte order mark and characters of several bytes", async () => {
    const text = "\ufeffcafé\r\n日本語 🙂\r\n";
    const { content, data } = await workspace({ "a.txt": text }).run("read_file", { filePath: "a.txt" });
    expect(content).to.equal(text);
    expect(data).to.include({ totalLines: 2, estimatedTokens: Math.ceil([...text].length / 4) });
  });

  it("reads an empty file", async () => {
    const { content, data } = await workspace({ "a.txt": "" }).run("read_file", { filePath: "a.txt" });
    expect(content).to.equal("");
    expect(data).to.include({ totalLines: 0, returnedLines: 0, truncated: false, estimatedTokens: 0 });
  });

  for (const [args, content, truncated] of [
    [{ startLine: 2, endLine: 3 }, "line 2\nline 3\n", false],
    [{ startLine: 9 }, "line 9\nline 10\n", false],
    [{ endLine: 1 }, "line 1\n", false],
    [{ offset: 8 }, "line 9\nline 10\n", false],
    [{ offset: 1, limit: 2 }, "line 2\nline 3\n", true],
    [{ startLine: 2, endLine: 5, limit: 1 }, "line 2\n", true],
    [{ startLine: 10, endLine: 99 }, "line 10\n", false],
    [{ offset: 10 }, "", false],
    [{ startLine: 40 }, "", false],
  ] as const) {
    it(`understands ${JSON.stringify(args)}`, async () => {
      const result = await workspace({ "a.txt": numbered(10) }).run("read_file", {
        filePath: "a.txt",
        ...args,
      });
      expect(result.content).to.equal(content);
      expect(result.data).to.include({
        truncated,
        totalLines: 10,
        returnedLines: content.split("\n").length - 1,
      });
    });
  }

  it("stops at 2000 lines and says where to read on", async () => {
    const { run } = workspace({ "a.txt": numbered(2500) });
    const { data, message } = await run("read_file", { filePath: "a.txt" });
    expect(data).to.include({ returnedLines: 2000, truncated: true, totalLines: 2500 });
    expect(message).to.contain("offset 2000");
    const rest = await run("read_file", { filePath: "a.txt", offset: 2000 });
    expect(rest.content).to.match(/^line 2001\n/);
    expect(rest.data).to.include({ returnedLines: 500, truncated: false });
  });

  it("reads a range of a file larger than one block", async () => {
    const text = numbered(300_000);
    const { run } = workspace({ "big.log": text });
    const { content, data } = await run("read_file", {
      filePath: "big.log",
      startLine: 250_000,
      endLine: 250_001,
    });
    expect(content).to.equal("line 250000\nline 250001\n");
    expect(data).to.include({ totalLines: 300_000, truncated: false });
  });

  it("gives the lines of at most 8 MiB at once", async () => {
    const line = `${"x".repeat(1023)}\n`;
    const { content, data } = await workspace({ "wide.txt": line.repeat(9000) }).run("read_file", {
      filePath: "wide.txt",
      limit: 9000,
    });
    expect(content).to.equal(line.repeat(8192));
    expect(data).to.include({ returnedLines: 8192, truncated: true });
  });

  it("T9: tells the encoding of text that is not UTF-8", async () => {
    const { run, put } = workspace({
      "latin.txt": Buffer.from("caf\xe9 \x8017\nna\xefve\n", "latin1"),
      "damaged.txt": Buffer.concat([Buffer.from("äöü\n"), Buffer.from([0xff, 10])]),
    });
    const latin = await run("read_file", { filePath: "latin.txt" });
    expect(latin).to.include({ content: "café €17\nnaïve\n" });
    expect(latin.data).to.include({ encoding: "windows-1252", totalLines: 2 });
    expect(latin.message).to.contain("windows-1252");
    put("short.txt", Buffer.from("caf\xe9", "latin1"));
    expect((await run("read_file", { filePath: "short.txt" })).content).to.equal("café");
    const damaged = await run("read_file", { filePath: "damaged.txt" });
    expect(damaged).to.include({ content: "äöü\n\ufffd\n" });
    expect(damaged.message).to.contain("no UTF-8");
  });

  for (const [what, bytes] of [
    ["bytes without a meaning", [0x80, 0x81, 0xff]],
    ["control characters", [0xe9, 0x01, 0x02, 0x61]],
    ["mostly bytes beyond ASCII", [0xc0, 0xc1, 0xd0, 0xd1, 0x61]],
  ] as const)
    it(`T9: takes ${what} for a binary file`, async () => {
      const { failure } = workspace({ "a.bin": new Uint8Array(bytes) });
      const error = await failure("read_file", { filePath: "a.bin" });
      expect(error.fields).to.deep.equal({ isBinary: true });
    });

  it("T9: reads UTF-8 whose characters lie on the border of blocks", async () => {
    const content = `a${"ä".repeat(1 << 20)}`;
    const { run } = workspace({ "a.txt": content });
    const read = await run("read_file", { filePath: "a.txt" });
    expect(read.content === content).to.equal(true);
  });

  it("fails for a binary file, with isBinary and a hint", async () => {
    const error = await workspace({ "a.bin": new Uint8Array([1, 0, 2]) }).failure("read_file", {
      filePath: "a.bin",
    });
    expect(error.fields).to.deep.equal({ isBinary: true });
    expect(error.hint).to.contain("get_file_info");
  });

  it("says that UTF-16 text is not UTF-8", async () => {
    const error = await workspace({ "a.txt": Buffer.from("\ufeffhi", "utf16le") }).failure("read_file", {
      filePath: "a.txt",
    });
    expect(error.hint).to.contain("UTF-16");
  });

  it("fails with file_not_found when nothing is there", async () => {
    const error = await workspace({ "config.json": "{}" }).failure("read_file", { filePath: "confg.json" });
    expect(error.code).to.equal("file_not_found");
  });

  it("refuses lines that end before they begin", async () => {
    const error = await workspace({ "a.txt": "a" }).failure("read_file", {
      filePath: "a.txt",
      startLine: 3,
      endLine: 2,
    });
    expect(error.code).to.equal("invalid_value");
  });

  it("T04, T03: takes path for filePath", () => {
    const { parameters } = workspaceOperation("read_file");
    expect(parameters["filePath"]?.aliases).to.include("path");
    expect(workspaceOperation("get_file_info").parameters["filePath"]?.aliases).to.include("path");
  });

  it("gives back the whole text, however it is paged", async () => {
    const line = fc.string({ unit: "grapheme", maxLength: 8 }).map((text) => text.replace(/[\n\0]/g, ""));
    const text = fc
      .tuple(fc.array(line, { maxLength: 12 }), fc.boolean())
      .map(([lines, isOpen]) => lines.map((one) => `${one}\n`).join("") + (isOpen ? "end" : ""));
    const { put, run } = workspace();
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 5 }), async (whole, limit) => {
        put("p.txt", whole);
        let [read, offset, more] = ["", 0, true];
        while (more) {
          const { content = "", data } = await run("read_file", { filePath: "p.txt", offset, limit });
          const facts = data as { returnedLines: number; truncated: boolean };
          [read, offset, more] = [read + content, offset + facts.returnedLines, facts.truncated];
        }
        expect(read).to.equal(Buffer.from(whole).toString());
      }),
      { numRuns: 60 },
    );
  });
});
