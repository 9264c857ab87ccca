import { expect } from "chai";
import { workspace } from "./context.ts";

interface Usage {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly context: string;
  readonly kind: string;
}

describe("list_usages", function () {
  this.timeout(30_000);

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
});
