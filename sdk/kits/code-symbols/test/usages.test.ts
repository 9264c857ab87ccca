import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { ParserThread, symbolName, usagesIn } from "@pergola/kit-code-symbols";
import { toolContext } from "@pergola/sdk/testing";
import { plainUsages } from "../find/plain-usages.ts";
import { languages } from "../languages/languages.ts";

async function usagesOf(file: string, text: string, symbol: string) {
  const context = toolContext();
  writeFileSync(path.join(context.workingDirectory, file), text);
  const { usages } = await usagesIn(context, [file], { symbol, contextLines: 0, limit: Infinity });
  return usages;
}

describe("usagesIn", function () {
  this.timeout(30_000);

  it("T7: counts neither comments nor strings in languages without a grammar", async () => {
    const code =
      'fun foo(a: Int) {\n  foo(1) // foo\n  /* foo\n  foo */\n  val x = foo + "foo"\n  food()\n}\n';
    const found = await usagesOf("a.kt", code, "foo");
    expect(found.map(({ line, column, kind }) => [line, column, kind])).to.deep.equal([
      [1, 5, "definition"],
      [2, 3, "call"],
      [5, 11, "reference"],
    ]);
  });

  it("finds names with dashes", async () => {
    const found = await usagesOf(
      "a.css",
      ".btn-primary { color: red }\n.btn { color: red }\n",
      "btn-primary",
    );
    expect(found.map(({ line, kind }) => [line, kind])).to.deep.equal([[1, "definition"]]);
  });

  it("goes by the words around a symbol in languages without a grammar", () => {
    const code = "fun foo(a: Int) {\n  foo(1)\n  // foo\n  val x = foo\n  food()\n}\n";
    expect(plainUsages("a.kt", code, "foo")).to.deep.equal([
      { at: 4, kind: "definition" },
      { at: 20, kind: "call" },
      { at: 46, kind: "reference" },
    ]);
  });

  it("reads every language with a grammar of its own", () => {
    expect(new Set(languages.map(({ grammar }) => grammar)).size).to.equal(languages.length);
  });
});

describe("symbolName", () => {
  for (const [given, name] of [
    ["a.b", "b"],
    ["A::b", "b"],
    ["$x->y", "y"],
    ["$x", "x"],
    ["f()", "f"],
    ["List<String>", "List"],
    ["@name", "name"],
    [" x ", "x"],
    ["N\\C", "C"],
    ["C#m", "m"],
    ["empty?", "empty?"],
  ] as const) {
    it(`takes ${given} by its last name`, () => {
      expect(symbolName(given)).to.equal(name);
    });
  }

  for (const [given, name] of [
    ["btn-primary", "btn-primary"],
    ["--main-color", "--main-color"],
    ["Get-Item()", "Get-Item"],
  ] as const) {
    it(`takes ${given} where dashes are allowed`, () => {
      expect(symbolName(given, { allowDashes: true })).to.equal(name);
      expect(() => symbolName(given)).to.throw("not the name of a symbol");
    });
  }

  for (const given of [".", "--", "two words", "--flag="]) {
    it(`refuses ${given} there too`, () => {
      expect(() => symbolName(given, { allowDashes: true })).to.throw("not the name of a symbol");
    });
  }
});

describe("ParserThread", function () {
  this.timeout(60_000);
  const wide = `const all = [${"needle, ".repeat(20_000)}];`;

  it("gives up on a file that takes its grammar too long, and reads the next", async () => {
    const thread = new ParserThread(new AbortController().signal, 1);
    expect(await thread.usages("a.ts", wide, "needle")).to.equal(undefined);
    await thread.end();
    const patient = new ParserThread(new AbortController().signal);
    const usages = await patient.usages("a.ts", "needle()", "needle");
    await patient.end();
    expect(usages).to.deep.equal([{ at: 0, kind: "call" }]);
  });

  it("finds syntax errors", async () => {
    const thread = new ParserThread(new AbortController().signal);
    const errors = await thread.errors("a.rs", "fn main() {\n  foo(\n}\n");
    await thread.end();
    expect(errors?.[0]).to.deep.equal({ line: 2, column: 6, message: '"(" is never closed' });
  });

  it("is not held up by the largest grammar", async () => {
    const thread = new ParserThread(new AbortController().signal);
    expect(await thread.usages("a.ps1", "needle 1\n", "needle")).to.deep.equal([{ at: 0, kind: "call" }]);
    const start = performance.now();
    expect(await thread.usages("a.py", "needle()", "needle")).to.deep.equal([{ at: 0, kind: "call" }]);
    expect(performance.now() - start).to.be.below(9000);
    await thread.end();
  });

  it("knows no errors in a file without a grammar", async () => {
    const thread = new ParserThread(new AbortController().signal);
    expect(await thread.errors("a.txt", "text")).to.equal(undefined);
    await thread.end();
  });
});
