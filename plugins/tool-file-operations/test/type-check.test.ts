import { expect } from "chai";
import { compilerPath } from "../checker/type-check.ts";
import { workspace } from "./context.ts";

interface Fault {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly severity: string;
  readonly message: string;
  readonly code: string;
}

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
      "tsconfig.json":
        '{ "compilerOptions": { "strict": true, "module": "esnext", "moduleResolution": "bundler", "types": ["thing"] } }',
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
      "node_modules/typescript/package.json":
        '{ "name": "typescript", "version": "5.0.0", "main": "../../evil.js" }',
      "a.ts": "export const a = 1;\n",
    });
    await run("get_errors");
    expect(has("marker")).to.equal(false);
  });
});
