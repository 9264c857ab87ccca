import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { root } from "../architecture/tree.ts";

type Target = string | { readonly [condition: string]: string };

interface Package {
  readonly name: string;
  readonly license: string;
  readonly scripts?: object;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, Target>>;
}

const packages: Readonly<Record<string, readonly string[]>> = {
  "@pergola/sdk": ["manifest.schema.json", "dist/index.d.ts", "dist/testing/index.d.ts", "dist/tool.d.ts"],
  pergola: ["dist/main.js", "dist/host.js", "dist/isolated.process.js"],
  "@pergola/tool-think": ["plugin.json", "README.md", "dist/index.js"],
  "@pergola/storage-sqlite": ["plugin.json", "README.md", "dist/index.js", "dist/sqlite.worker.js"],
};

/** What npm publishes: packed as for a release, and unpacked. */
describe("a packed package", function () {
  this.timeout(120_000);
  const folder = temporaryFolder("pergola-packed-");
  const at = (name: string, ...parts: readonly string[]): string => path.join(folder, name.replace("@", "").replace("/", "-"), ...parts);

  before(() => {
    execFileSync(process.execPath, [path.join(root, "scripts", "pack.mjs"), folder, ...Object.keys(packages)], { stdio: "pipe" });
    for (const file of readdirSync(folder)) {
      const to = file.replace(/-\d+\.\d+\.\d+.*$/, "");
      execFileSync("mkdir", [path.join(folder, to)]);
      execFileSync("tar", ["xzf", file, "--strip-components=1", "-C", to], { cwd: folder });
    }
  });

  for (const [name, files] of Object.entries(packages))
    describe(name, () => {
      const manifest = (): Package => JSON.parse(readFileSync(at(name, "package.json"), "utf8")) as Package;
      const all = (): readonly string[] => readdirSync(at(name), { recursive: true, encoding: "utf8" });

      it("has what it needs at run time, its license, and its page", () => {
        expect(files.filter((file) => !existsSync(at(name, file)))).to.deep.equal([]);
        expect([existsSync(at(name, "LICENSE")), existsSync(at(name, "README.md"))]).to.deep.equal([true, true]);
      });

      it("has no tests, no sources and no scripts", () => {
        expect(all().filter((file) => /(^|\/)test\/|\.test\.|(?<!\.d)\.ts$/.test(file))).to.deep.equal([]);
        expect(manifest()).to.not.have.property("scripts");
      });

      it("exports nothing that is not there, the types first", () => {
        const { exports, bin = {} } = manifest();
        const targets = Object.values(exports).flatMap((target) => (typeof target === "string" ? [target] : Object.values(target)));
        expect([...targets, ...Object.values(bin)].filter((file) => !existsSync(at(name, file)))).to.deep.equal([]);
        const conditions = Object.values(exports).flatMap((target) => (typeof target === "string" ? [] : [Object.keys(target)]));
        for (const names of conditions) expect(names.join(" ")).to.match(/^(types )?default$/);
      });
    });
});
