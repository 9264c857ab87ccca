import { expect } from "chai";
import { lastName } from "../code/usages.ts";
import { languages } from "../syntax/languages.ts";
import { plainUsages } from "../syntax/plain-usages.ts";
import { workspace } from "./context.ts";
import { samples } from "./usage-samples.ts";

interface Usage {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly context: string;
  readonly kind: string;
}

const kinds: Readonly<Record<string, string>> = {
  d: "definition",
  c: "call",
  e: "declaration",
  r: "reference",
};

describe("list_usages", function () {
  this.timeout(30_000);

  for (const [name, sample] of Object.entries(samples)) {
    it(`T09: tells what foo is everywhere in ${name}`, async () => {
      const lines = sample
        .trimStart()
        .split("\n")
        .map((line) => /^(.*?)\s*(?:\/\/|#|\/\*)([dcer]*)(?:\*\/)?$/.exec(line) ?? [line, line, ""]);
      const { data } = workspace({ [name]: lines.map(([, code]) => code).join("\n") });
      const usages = [...(await data<readonly Usage[]>("list_usages", { symbolName: "foo" }))].sort(
        (a, b) => a.line - b.line || a.column - b.column,
      );
      const found = lines.map(([, code], index) => ({
        code,
        kinds: usages.filter(({ line }) => line === index + 1).map(({ kind }) => kind),
      }));
      expect(found).to.deep.equal(
        lines.map(([, code, marks = ""]) => ({ code, kinds: [...marks].map((mark) => kinds[mark]) })),
      );
    });
  }

  it("gives file, line, column and context, definitions first", async () => {
    const { data, run } = workspace({
      "a.py": "  # foo\nx = foo()\n",
      "b.py": "def foo():\n    pass\n",
      "c.txt": "foo",
    });
    expect(await data("list_usages", { symbolName: "foo" })).to.deep.equal([
      { file: "b.py", line: 1, column: 5, context: "def foo():", kind: "definition" },
      { file: "a.py", line: 2, column: 5, context: "x = foo()", kind: "call" },
    ]);
    expect((await run("list_code_usages", { symbolName: "foo" })).message).to.contain("2 usages");
  });

  it("does not take a part of a name for the name", async () => {
    const { data } = workspace({
      "a.py": "food()\nx.foo_bar()\n_foo = 1\nfoo2 = 1\n",
      "a.rb": "foo? ; foo!\n",
    });
    expect(await data("list_usages", { symbolName: "foo" })).to.deep.equal([]);
  });

  it("takes a qualified name by its last part", async () => {
    const { data } = workspace({ "a.ts": "class A { run() {} }\nnew A().run();\n" });
    expect(
      (await data<readonly Usage[]>("list_usages", { symbolName: "A.run" })).map(({ kind }) => kind),
    ).to.deep.equal(["definition", "call"]);
  });

  for (const [symbol, name] of [
    ["a.b", "b"],
    ["A::b", "b"],
    ["$x->y", "y"],
    ["$x", "x"],
    ["f()", "f"],
    ["@name", "name"],
    [" x ", "x"],
    ["N\\C", "C"],
    ["C#m", "m"],
  ] as const) {
    it(`understands ${symbol}`, () => {
      expect(lastName(symbol)).to.equal(name);
    });
  }

  it("looks only into the files that are named", async () => {
    const { data } = workspace({ "a.py": "foo()", "b/b.py": "foo()", "c.py": "foo()" });
    expect(
      (await data<readonly Usage[]>("list_usages", { symbolName: "foo", filePaths: ["b", "c.py"] })).map(
        ({ file }) => file,
      ),
    ).to.deep.equal(["b/b.py", "c.py"]);
  });

  it("finds symbols in other scripts", async () => {
    const { data } = workspace({ "a.py": "größe = 1\nprint('🙂', größe)\n" });
    expect(
      (await data<readonly Usage[]>("list_usages", { symbolName: "größe" })).map(({ line, column }) => [
        line,
        column,
      ]),
    ).to.deep.equal([
      [1, 1],
      [2, 13],
    ]);
  });

  it("finds them in broken code too", async () => {
    const { data } = workspace({ "a.ts": "function foo( {\n  foo(1)\n" });
    expect((await data<readonly Usage[]>("list_usages", { symbolName: "foo" })).length).to.equal(2);
  });

  it("refuses what is no name", async () => {
    expect((await workspace().failure("list_usages", { symbolName: "." })).code).to.equal("invalid_value");
  });

  it("goes by the words around it in languages without a grammar", () => {
    const code = "fun foo(a: Int) {\n  foo(1)\n  // foo\n  val x = foo\n  food()\n}\n";
    expect(plainUsages(code, "foo")).to.deep.equal([
      { line: 1, column: 5, kind: "definition" },
      { line: 2, column: 3, kind: "call" },
      { line: 4, column: 11, kind: "reference" },
    ]);
  });

  it("knows at least the languages that are asked for", () => {
    const names = languages.map(({ name }) => name);
    expect(names).to.include.members([
      "TypeScript",
      "JavaScript",
      "Python",
      "Go",
      "Rust",
      "Java",
      "C",
      "C++",
      "C#",
      "Ruby",
      "PHP",
    ]);
    expect(new Set(languages.map(({ grammar }) => grammar)).size).to.equal(15);
  });
});
