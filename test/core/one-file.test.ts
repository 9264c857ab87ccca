import { execFile } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { bundledCode, addBundled } from "../../core/one-file/places.ts";
import { root } from "../architecture/tree.ts";

const module = path.join(root, "core/one-file/run-one-file.ts");
const isCompiledForm = (name: string): boolean => name.endsWith(".bin");

/** Runs a file in a process of its own; says whether V8 took its compiled form, and keeps one. */
async function run(file: string): Promise<{ readonly isCompiled: boolean; readonly said: string }> {
  const code = `import { OneFile } from ${JSON.stringify(module)};
    const one = new OneFile(${JSON.stringify(file)});
    one.run();
    console.log(one.isCompiled);
    one.keepCompiled();`;
  const args = ["--conditions=source", "--import", "tsx", "--input-type=module", "--eval", code];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
  const [said = "", isCompiled] = stdout.trim().split("\n");
  return { isCompiled: isCompiled === "true", said };
}

describe("the one file that a start runs", () => {
  let folder: string;
  let file: string;
  const write = (digest: string, said: string): void =>
    writeFileSync(
      file,
      `// ${digest.repeat(16)}\n(function (exports, require) {
        console.log("${said}", typeof require("node:fs").statSync);
      })`,
    );

  beforeEach(() => {
    folder = temporaryFolder();
    file = path.join(folder, "all.cjs");
  });

  it("runs, and the next time from its compiled form", async () => {
    write("a", "first");
    expect(await run(file)).to.deep.equal({ isCompiled: false, said: "first function" });
    expect(await run(file)).to.deep.equal({ isCompiled: true, said: "first function" });
  });

  it("runs the code of today after an update of the same length", async () => {
    write("a", "first");
    await run(file);
    write("b", "other");
    expect(await run(file)).to.deep.equal({ isCompiled: false, said: "other function" });
  });

  it("runs when its compiled form is damaged, and mends it", async () => {
    write("a", "first");
    await run(file);
    const [name = ""] = readdirSync(folder).filter(isCompiledForm);
    const compiled = path.join(folder, name);
    for (const bytes of [readFileSync(compiled).subarray(0, 100), Buffer.alloc(0), Buffer.from("no form")]) {
      writeFileSync(compiled, bytes);
      expect(await run(file)).to.deep.equal({ isCompiled: false, said: "first function" });
    }
    expect(await run(file)).to.deep.equal({ isCompiled: true, said: "first function" });
  });

  it("is asked only for the version of a plugin that it holds", () => {
    const code = (): string => "its code";
    addBundled(folder, { "@pergola/tool-example@1.2.3": code });
    const found = {
      package: "@pergola/tool-example",
      version: "1.2.3",
      entry: path.join(folder, "index.js"),
    };
    expect(bundledCode(found)).to.equal(code);
    expect(bundledCode({ ...found, version: "1.2.4" })).to.equal(undefined);
    expect(bundledCode({ ...found, package: "@pergola/tool-other" })).to.equal(undefined);
  });
});
