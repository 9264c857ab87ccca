import { expect } from "chai";
import { workspace } from "./context.ts";

interface Fault {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly severity: string;
  readonly message: string;
  readonly code: string;
}

const broken: Readonly<Record<string, readonly [code: string, line: number]>> = {
  "a.py": ["def f(:\n    return 1\n", 1],
  "a.go": ["package main\n\nfunc main() {\n\tx := \n}\n", 4],
  "a.rs": ["fn main() {\n    let x = ;\n}\n", 2],
  "a.java": ["class A {\n  void f() {\n    int x = ;\n  }\n}\n", 3],
  "a.c": ["int main(void) {\n  return 0\n}\n", 2],
  "a.cpp": ["class A {\n  int f( { return 1; }\n};\n", 2],
  "a.cs": ["class A {\n  void F() {\n    int x = ;\n  }\n}\n", 3],
  "a.rb": ["def f\n  x = (1 +\nend\n", 2],
  "a.php": ["<?php\nfunction f( {\n}\n", 2],
  "a.sh": ["if true; then\n  echo x\n", 3],
  "a.css": ["a { color: red;\n", 1],
  "a.json": ['{\n  "a": 1,\n}\n', 3],
};

const right: Readonly<Record<string, string>> = {
  "a.py": "def f(x: int) -> int:\n    return x\n",
  "a.go": "package main\n\nfunc main() {}\n",
  "a.rs": "fn main() { let x = 1; }\n",
  "a.java": "class A { void f() {} }\n",
  "a.c": "int main(void) { return 0; }\n",
  "a.cpp": "template <class T> T f(T t) { return t; }\n",
  "a.cs": "class A { void F() { } }\n",
  "a.rb": "def f(x) = x\n",
  "a.php": "<?php\nfunction f(int $x): int { return $x; }\n",
  "a.sh": "if true; then echo x; fi\n",
  "a.css": ".a:hover { color: red; }\n",
  "a.json": '{"a": [1, -2.5e3, "x\\u00e9", true, null]}',
  "tsconfig.json": '// settings\n{ "include": ["none"], /* more */ }\n',
};

describe("get_errors", function () {
  this.timeout(60_000);

  it("T20: finds errors in YAML", async () => {
    const { data } = workspace({
      "a.yaml": "a: [1, 2\nb: 1\n",
      "b.yml": "a: 1\na: 2\n",
      "c.yaml": "good: &x [1, two]\nmore: *x\n---\n- !Ref other\n",
      "d.yaml": "a: b: c\n",
      "chart.yaml": "a: {{ .Values.a }}\n{{- if }}\n",
    });
    const faults = await data<readonly Fault[]>("get_errors");
    const of = (name: string) => faults.filter(({ file }) => file === name);
    expect(of("a.yaml")[0]).to.include({ line: 2, severity: "error", code: "yaml" });
    expect(of("b.yml")[0]).to.include({ line: 2, column: 1, severity: "error" });
    expect(of("c.yaml")).to.deep.equal([]);
    expect(of("d.yaml")[0]).to.include({ line: 1, severity: "error" });
    expect(of("chart.yaml").every(({ severity }) => severity === "warning")).to.equal(true);
  });

  for (const opening of ["[", "{", "- ", "? ", "!!seq [", "{a: "])
    it(`T20: bounds the nesting of YAML by "${opening}"`, async () => {
      const { data } = workspace({ "a.yaml": `${opening.repeat(50_000)}\n` });
      const [fault] = await data<readonly Fault[]>("get_errors");
      expect(fault?.message).to.equal("Nested too deeply to be checked");
    });

  it("T09: finds syntax errors in every language, in the whole working directory", async () => {
    const { data } = workspace(
      Object.fromEntries(Object.entries(broken).map(([name, [code]]) => [name, code])),
    );
    const faults = await data<readonly Fault[]>("get_errors");
    for (const [name, [, line]] of Object.entries(broken)) {
      const found = faults.filter(({ file }) => file === name);
      expect(
        found.map((fault) => fault.line),
        `${name}: ${JSON.stringify(found)}`,
      ).to.include(line);
      expect(found[0]).to.have.keys("file", "line", "column", "severity", "message", "code");
    }
  });

  it("finds none in code that is right", async () => {
    const { data } = workspace(right);
    expect(await data("get_errors")).to.deep.equal([]);
  });

  it("says of C, whose macros it does not know, only that it may be wrong", async () => {
    const { data } = workspace({ "a.c": "int f( {" });
    expect(
      new Set((await data<readonly Fault[]>("get_errors")).map(({ severity }) => severity)),
    ).to.deep.equal(new Set(["warning"]));
  });

  it("points at a bracket that is never closed", async () => {
    const { data } = workspace({ "a.rs": "fn main() {\n  foo(\n}\n" });
    expect((await data<readonly Fault[]>("get_errors"))[0]).to.include({
      line: 2,
      column: 6,
      message: '"(" is never closed',
    });
  });

  it("looks only at the files and folders that are named, ignored ones too", async () => {
    const { data } = workspace({
      ".gitignore": "out/\n",
      "a.json": "{",
      "b.json": "{",
      "out/c.json": "{",
      "d/e.json": "{",
    });
    const files = async (filePaths: readonly string[]) =>
      (await data<readonly Fault[]>("get_errors", { filePaths })).map(({ file }) => file);
    expect(await files([])).to.deep.equal(["a.json", "b.json", "d/e.json"]);
    expect(await files(["b.json", "d"])).to.deep.equal(["b.json", "d/e.json"]);
    expect(await files(["out/c.json"])).to.deep.equal(["out/c.json"]);
  });

  it("fails for a file that is not there", async () => {
    expect((await workspace().failure("get_errors", { filePaths: ["none.py"] })).code).to.equal(
      "file_not_found",
    );
  });

  it("names files that it could not check", async () => {
    const { run } = workspace({ "big.py": "x = 1\n".repeat(300_000), "bin.py": "x\0" });
    const { data, message } = await run("get_errors");
    expect(data).to.deep.equal([]);
    expect(message).to.contain("big.py").and.contain("bin.py");
  });

  it("survives code nested a hundred thousand times", async () => {
    const { data } = workspace({
      "a.js": "[".repeat(100_000),
      "a.json": "[".repeat(100_000),
      "a.py": `${"(".repeat(20_000)}`,
    });
    const faults = await data<readonly Fault[]>("get_errors");
    expect(faults.some(({ file }) => file === "a.json")).to.equal(true);
  });

  it("stops at once when the call is cancelled", async () => {
    const { run } = workspace({ "a.py": "x = (", "b.ts": "let x: string = 1;" });
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("stopped")), 100);
    const started = performance.now();
    const error: unknown = await run("get_errors", {}, { signal: stop.signal }).catch(
      (reason: unknown) => reason,
    );
    expect(performance.now() - started).to.be.below(2000);
    expect(error).to.have.property("message", "stopped");
  });
});
