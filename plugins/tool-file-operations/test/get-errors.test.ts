import { expect } from "chai";
import { compilerPath } from "../checker/type-check.ts";
import { jsonErrors } from "../syntax/json-errors.ts";
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

  it("T09: finds syntax errors in every language, in the whole working directory", async () => {
    const { data } = workspace(Object.fromEntries(Object.entries(broken).map(([name, [code]]) => [name, code])));
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
    expect(new Set((await data<readonly Fault[]>("get_errors")).map(({ severity }) => severity))).to.deep.equal(new Set(["warning"]));
  });

  it("points at a bracket that is never closed", async () => {
    const { data } = workspace({ "a.rs": "fn main() {\n  foo(\n}\n" });
    expect((await data<readonly Fault[]>("get_errors"))[0]).to.include({ line: 2, column: 6, message: '"(" is never closed' });
  });

  it("looks only at the files and folders that are named, ignored ones too", async () => {
    const { data } = workspace({ ".gitignore": "out/\n", "a.json": "{", "b.json": "{", "out/c.json": "{", "d/e.json": "{" });
    const files = async (filePaths: readonly string[]) =>
      (await data<readonly Fault[]>("get_errors", { filePaths })).map(({ file }) => file);
    expect(await files([])).to.deep.equal(["a.json", "b.json", "d/e.json"]);
    expect(await files(["b.json", "d"])).to.deep.equal(["b.json", "d/e.json"]);
    expect(await files(["out/c.json"])).to.deep.equal(["out/c.json"]);
  });

  it("fails for a file that is not there", async () => {
    expect((await workspace().failure("get_errors", { filePaths: ["none.py"] })).code).to.equal("file_not_found");
  });

  it("names files that it could not check", async () => {
    const { run } = workspace({ "big.py": "x = 1\n".repeat(300_000), "bin.py": "x\0" });
    const { data, message } = await run("get_errors");
    expect(data).to.deep.equal([]);
    expect(message).to.contain("big.py").and.contain("bin.py");
  });

  it("survives code nested a hundred thousand times", async () => {
    const { data } = workspace({ "a.js": "[".repeat(100_000), "a.json": "[".repeat(100_000), "a.py": `${"(".repeat(20_000)}` });
    const faults = await data<readonly Fault[]>("get_errors");
    expect(faults.some(({ file }) => file === "a.json")).to.equal(true);
  });

  it("stops at once when the call is cancelled", async () => {
    const { run } = workspace({ "a.py": "x = (", "b.ts": "let x: string = 1;" });
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("stopped")), 100);
    const started = performance.now();
    const error: unknown = await run("get_errors", {}, { signal: stop.signal }).catch((reason: unknown) => reason);
    expect(performance.now() - started).to.be.below(2000);
    expect(error).to.have.property("message", "stopped");
  });
});

describe("get_errors with the TypeScript compiler", function () {
  this.timeout(60_000);

  before(function () {
    if (compilerPath() === undefined) this.skip();
  });

  it("checks types without a project, leniently", async () => {
    const { run } = workspace({
      "a.ts": 'import { b } from "./b";\nexport const x: string = b;\nfunction loose(y) { return y; }\n',
      "b.ts": "export const b: number = 1;\n",
      "bad.js": "let = = 1;\n",
    });
    const { data, message } = await run("get_errors");
    const faults = data as unknown as readonly Fault[];
    expect(faults[0]).to.deep.equal({
      file: "a.ts",
      line: 2,
      column: 14,
      severity: "error",
      message: "Type 'number' is not assignable to type 'string'.",
      code: "TS2322",
    });
    expect(faults.slice(1).map(({ file }) => file)).to.include("bad.js");
    expect(faults.filter(({ file }) => file === "a.ts")).to.have.length(1);
    expect(message).to.contain("types");
  });

  it("reads the project's settings, extended ones too", async () => {
    const { data } = workspace({
      "base.json": '{ "compilerOptions": { "strict": true, "noEmit": true } }',
      "tsconfig.json":
        '{ "extends": "./base.json", /* why */ "compilerOptions": { "target": "es2022" }, "include": ["src"], "exclude": ["src/old"] }',
      "src/a.ts": "export function f(y) { return y; }\n",
      "src/old/b.ts": "export function f(y) { return y; }\n",
    });
    const faults = await data<readonly Fault[]>("get_errors");
    expect(faults.map(({ file, code }) => `${file} ${code}`)).to.deep.equal(["src/a.ts TS7006"]);
  });

  it("finds packages and their types, through the door alone", async () => {
    const { data } = workspace({
      "tsconfig.json": '{ "compilerOptions": { "strict": true, "module": "esnext", "moduleResolution": "bundler", "types": ["thing"] } }',
      "node_modules/pack/package.json": '{ "name": "pack", "types": "./index.d.ts" }',
      "node_modules/pack/index.d.ts": "export declare const size: number;\n",
      "node_modules/@types/thing/index.d.ts": "declare const thing: string;\n",
      "a.ts":
        'import { size } from "pack";\nimport { other } from "missing";\nexport const x: string = size;\nexport const y: number = thing;\nother();\n',
    });
    const faults = await data<readonly Fault[]>("get_errors", { filePaths: ["a.ts"] });
    expect(faults.map(({ line, code, severity }) => `${line} ${code} ${severity}`)).to.deep.equal([
      "2 TS2307 warning",
      "3 TS2322 error",
      "4 TS2322 error",
    ]);
  });

  it("calls a missing file of the project's own an error", async () => {
    const { data } = workspace({ "a.ts": 'import { x } from "./none.ts";\nx();\n' });
    expect((await data<readonly Fault[]>("get_errors"))[0]).to.include({ code: "TS2307", severity: "error" });
  });

  it("finds the project that another one refers to", async () => {
    const { data } = workspace({
      "tsconfig.json": '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }] }',
      "tsconfig.app.json": '{ "compilerOptions": { "strict": true, "composite": true }, "include": ["app"] }',
      "app/a.ts": "export const f = (y) => y;\n",
    });
    expect((await data<readonly Fault[]>("get_errors")).map(({ code }) => code)).to.deep.equal(["TS7006"]);
  });

  it("runs nothing of the project", async () => {
    const { run, has } = workspace({
      "tsconfig.json": '{ "compilerOptions": { "plugins": [{ "name": "./evil.js" }] }, "include": ["*.ts"] }',
      "evil.js": 'require("node:fs").writeFileSync(__dirname + "/marker", "x"); module.exports = () => ({});',
      "node_modules/typescript/package.json": '{ "name": "typescript", "version": "5.0.0", "main": "../../evil.js" }',
      "a.ts": "export const a = 1;\n",
    });
    await run("get_errors");
    expect(has("marker")).to.equal(false);
  });
});

describe("jsonErrors", () => {
  for (const text of ["{}", "[]", '{"a":[{}]}', "1", "-0.5e+3", '"x\\n"', " true ", "\ufeff{}"]) {
    it(`accepts ${JSON.stringify(text)}`, () => {
      expect(jsonErrors(text, "json")).to.deep.equal([]);
    });
  }

  for (const [text, line, column] of [
    ["", 1, 1],
    ["{", 1, 2],
    ["[1,]", 1, 4],
    ["[,1]", 1, 2],
    ['{"a" 1}', 1, 6],
    ['{"a":}', 1, 6],
    ["{a:1}", 1, 2],
    ["[1 2]", 1, 4],
    ["[1]]", 1, 4],
    ["[1}", 1, 3],
    ["01", 1, 2],
    ["'x'", 1, 1],
    ['"a\nb"', 1, 1],
    ["{} x", 1, 4],
    ["// no\n{}", 1, 1],
    ['{\r\n  "a": tru\r\n}', 2, 8],
    ["[1.]", 1, 3],
    ["nul", 1, 1],
  ] as const) {
    it(`finds the fault in ${JSON.stringify(text)}`, () => {
      const [fault] = jsonErrors(text, "json");
      expect(fault).to.include({ line, column });
    });
  }

  it("agrees with the engine's own reader", () => {
    const pieces = ["{", "}", "[", "]", ",", ":", '"a"', "1", "null", " "];
    for (let seed = 0; seed < 3000; seed += 1) {
      const text = Array.from(
        { length: 1 + (seed % 7) },
        (_, index) => pieces[Math.floor(seed / 7 ** (index % 4) + index * 3) % pieces.length],
      ).join("");
      expect(jsonErrors(text, "json").length === 0, text).to.equal(isValid(text));
    }
  });

  it("takes comments and trailing commas where they are usual", () => {
    const text = '/* a */ { // b\n "x": [1, 2,], }';
    expect(jsonErrors(text, "jsonc")).to.deep.equal([]);
    expect(jsonErrors(text, "json")).to.have.length(1);
    expect(jsonErrors("[,]", "jsonc")).to.have.length(1);
    expect(jsonErrors("{} /* open", "jsonc")).to.have.length(1);
  });
});

function isValid(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
