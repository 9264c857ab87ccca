import { existsSync, readdirSync } from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";
import { expect } from "chai";
import { build } from "esbuild";
import { filesBelow, isTest } from "../architecture/tree.ts";
import { manifestOf, packed, packedPackages, unpacked } from "../support/packed.ts";

/** What a package has beside what every package has. */
const more: Readonly<Record<string, readonly string[]>> = {
  "@pergola/sdk": ["manifest.schema.json", "dist/host/index.d.ts", "dist/contract/tool.d.ts"],
  pergola: [
    "dist/main.cjs",
    "dist/host.js",
    "dist/host.d.ts",
    ...filesBelow("core/templates").map((file) => path.relative("core", file)),
  ],
};

/** A kit is a package of its own, though it stands below the SDK. */
const isInKit = (file: string, folder: string): boolean => folder === "sdk" && file.startsWith("sdk/kits/");

/**
 * The built form of the files that run in a thread or a process of their own: no import names them, so
 * nothing else would miss them.
 */
const threadsOf = (folder: string): readonly string[] =>
  filesBelow(folder)
    .filter((file) => /\.(worker|process)\.ts$/.test(file) && !isTest(file) && !isInKit(file, folder))
    .map((file) => `dist/${path.basename(file, ".ts")}.js`);

/** The packages that the built files of a package import, at the top or when they are needed. */
async function importedBy(folder: string): Promise<readonly string[]> {
  const { metafile } = await build({
    absWorkingDir: folder,
    entryPoints: ["dist/**/*.js"],
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    outdir: "unwritten",
    write: false,
    metafile: true,
    logLevel: "error",
  });
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  const external = imports.filter((one) => one.external === true && !isBuiltin(one.path));
  return [...new Set(external.map((one) => /^(@[^/]+\/)?[^/]+/.exec(one.path)?.[0] ?? ""))];
}

/** What npm publishes: packed as for a release, and unpacked. */
describe("a packed package", function () {
  this.timeout(120_000);
  before(() => packed());

  for (const [name, source] of packedPackages)
    describe(name, () => {
      let folder: string;
      before(() => (folder = unpacked(name)));
      const isThere = (file: string): boolean => existsSync(path.join(folder, file));

      it("has what it needs at run time, its license, and its page", () => {
        const plugin = source.startsWith("plugins/") ? ["plugin.json", "dist/index.js"] : [];
        const needed = ["LICENSE", "README.md", ...plugin, ...threadsOf(source), ...(more[name] ?? [])];
        expect(needed.filter((file) => !isThere(file))).to.deep.equal([]);
      });

      it("has no tests, no sources and no scripts", () => {
        const all = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
          (file) => !file.startsWith("templates/"),
        );
        expect(all.filter((file) => /(^|\/)test\/|\.test\.|(?<!\.d)\.ts$/.test(file))).to.deep.equal([]);
        expect(manifestOf(name)).to.not.have.property("scripts");
      });

      it("imports only what npm installs with it, or the person beside it", async () => {
        const { dependencies, optionalDependencies, peerDependencies } = manifestOf(name);
        const there = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
        // A compiler is looked for where there is one.
        const known = [name, "typescript", ...there];
        expect((await importedBy(folder)).filter((one) => !known.includes(one))).to.deep.equal([]);
      });

      it("exports nothing that is not there, the types first", () => {
        const { exports, bin = {} } = manifestOf(name);
        const targets = Object.values(exports).flatMap((target) =>
          typeof target === "string" ? [target] : Object.values(target),
        );
        expect([...targets, ...Object.values(bin)].filter((file) => !isThere(file))).to.deep.equal([]);
        const conditions = Object.values(exports).flatMap((target) =>
          typeof target === "string" ? [] : [Object.keys(target)],
        );
        for (const names of conditions) expect(names.join(" ")).to.match(/^(types )?default$/);
      });
    });
});
