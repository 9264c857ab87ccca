import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { packed, packedPackages, unpacked } from "../support/packed.ts";

type Target = string | { readonly [condition: string]: string };

interface Package {
  readonly name: string;
  readonly license: string;
  readonly scripts?: object;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, Target>>;
}

const needed: Readonly<Record<(typeof packedPackages)[number], readonly string[]>> = {
  "@pergola/sdk": ["manifest.schema.json", "dist/index.d.ts", "dist/testing/index.d.ts", "dist/tool.d.ts"],
  pergola: ["dist/main.js", "dist/host.js"],
  "@pergola/service-isolation": ["plugin.json", "README.md", "dist/index.js", "dist/isolated.process.js"],
  "@pergola/tool-think": ["plugin.json", "README.md", "dist/index.js"],
  "@pergola/storage-sqlite": ["plugin.json", "README.md", "dist/index.js", "dist/sqlite.worker.js"],
};

/** What npm publishes: packed as for a release, and unpacked. */
describe("a packed package", function () {
  this.timeout(120_000);
  before(() => packed());

  for (const name of packedPackages)
    describe(name, () => {
      let folder: string;
      before(() => (folder = unpacked(name)));
      const isThere = (file: string): boolean => existsSync(path.join(folder, file));
      const manifest = (): Package => JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as Package;

      it("has what it needs at run time, its license, and its page", () => {
        expect([...needed[name], "LICENSE", "README.md"].filter((file) => !isThere(file))).to.deep.equal([]);
      });

      it("has no tests, no sources and no scripts", () => {
        const all = readdirSync(folder, { recursive: true, encoding: "utf8" });
        expect(all.filter((file) => /(^|\/)test\/|\.test\.|(?<!\.d)\.ts$/.test(file))).to.deep.equal([]);
        expect(manifest()).to.not.have.property("scripts");
      });

      it("exports nothing that is not there, the types first", () => {
        const { exports, bin = {} } = manifest();
        const targets = Object.values(exports).flatMap((target) => (typeof target === "string" ? [target] : Object.values(target)));
        expect([...targets, ...Object.values(bin)].filter((file) => !isThere(file))).to.deep.equal([]);
        const conditions = Object.values(exports).flatMap((target) => (typeof target === "string" ? [] : [Object.keys(target)]));
        for (const names of conditions) expect(names.join(" ")).to.match(/^(types )?default$/);
      });
    });
});
