import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import ts from "typescript";
import { isTest, kitFolders, pluginFolders, read, root, sources } from "./tree.ts";

type Names = Readonly<Record<string, string>>;

interface Package {
  readonly name: string;
  readonly dependencies?: Names;
  readonly optionalDependencies?: Names;
  readonly peerDependencies?: Names;
  readonly devDependencies?: Names;
  readonly pergolaExtras?: Readonly<Record<string, { readonly packages: readonly string[] }>>;
}

const packageOf = (folder: string): Package => JSON.parse(read(`${folder}/package.json`)) as Package;
const examples = readdirSync(path.join(root, "examples")).map((name) => `examples/${name}`);
const folders = [
  "sdk",
  ...kitFolders(),
  "core",
  ...pluginFolders().map((id) => `plugins/${id}`),
  ...examples,
];

/** A folder's own sources: those of the kits belong to packages of their own. */
const sourcesOf = (folder: string): readonly string[] =>
  sources(folder).filter((file) => folder !== "sdk" || !file.startsWith("sdk/kits/"));

/** A module that is looked up at run time, by `require`, `require.resolve` or what `createRequire` makes. */
const lookedUp = /(?:\brequire|\.resolve|\bcreateRequire\(import\.meta\.url\))\(\s*["`]([@\w][^"`$]*)/g;

/** The packages that a source takes, for its types too. */
function packagesOf(source: string): readonly string[] {
  const imported = ts.preProcessFile(source, true, true).importedFiles.map(({ fileName }) => fileName);
  const names = [...imported, ...[...source.matchAll(lookedUp)].map(([, name = ""]) => name)];
  return names
    .filter((name) => !/^(\.|node:)/.test(name))
    .map((name) => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name);
}

/**
 * What runs in browsers: its packages are all bundled into it, and so are needed by its build only. Of peers
 * it takes types, which come to no browser. Elsewhere the build bundles those that are named as needed by it
 * alone.
 */
const isPage = (file: string): boolean => file.startsWith("plugins/endpoint-web/page/");

/** What the manifest of a bundle names. */
function includedBy(folder: string): readonly string[] {
  const file = `${folder}/plugin.json`;
  const { includes = [] } = (existsSync(path.join(root, file)) ? JSON.parse(read(file)) : {}) as {
    readonly includes?: readonly string[];
  };
  return includes;
}

/** In our own tree every package finds every other's; in its users' trees it finds what it names itself. */
describe("the package.json", () => {
  for (const folder of folders)
    it(`of ${folder} names every package that its code takes, and brings none that it does not`, () => {
      const {
        name: own,
        dependencies = {},
        optionalDependencies = {},
        peerDependencies = {},
        devDependencies = {},
      } = packageOf(folder);
      const files = sourcesOf(folder).filter((file) => !isTest(file));
      const code = files.filter((file) => !isPage(file)).map(read);
      const bundled = new Set(files.filter(isPage).map(read).flatMap(packagesOf));
      const brought = Object.keys({ ...dependencies, ...optionalDependencies });
      const taken = new Set(code.flatMap(packagesOf));
      const known = [own, ...brought, ...Object.keys({ ...peerDependencies, ...devDependencies })];
      expect([...taken].filter((name) => !known.includes(name))).to.deep.equal([]);
      const byBuild = [...bundled].filter((name) => peerDependencies[name] === undefined);
      if (byBuild.length > 0)
        expect(Object.keys(devDependencies).toSorted()).to.deep.equal(byBuild.toSorted());
      const needed = [...taken, ...includedBy(folder)];
      const isNamed = (name: string): boolean =>
        code.some((source) => new RegExp(`["\`]${name}["\`/]`).test(source));
      expect(brought.filter((name) => !needed.includes(name) && !isNamed(name))).to.deep.equal([]);
    });

  for (const folder of folders.filter((one) => includedBy(one).length > 0))
    it(`of ${folder} brings exactly what the bundle includes`, () => {
      const { dependencies = {} } = packageOf(folder);
      expect(Object.keys(dependencies).toSorted()).to.deep.equal([...includedBy(folder)].toSorted());
    });

  it("of the core takes the libraries of the frame and nothing else, that of the SDK nothing at all", () => {
    const frame = [
      "@clack/core",
      "@clack/prompts",
      "@pergola/bundle-host",
      "@pergola/kit-extras",
      "@pergola/sdk",
      "@swc/wasm-typescript",
      "ajv",
      "ajv-formats",
      "commander",
      "cosmiconfig",
      "express",
      "fast-string-width",
      "fast-wrap-ansi",
      "ipaddr.js",
      "marked",
      "pino",
      "semver",
      "tapable",
      "tar",
      "uqr",
    ];
    const { dependencies = {}, devDependencies = {} } = packageOf("core");
    expect(Object.keys({ ...dependencies, ...devDependencies }).toSorted()).to.deep.equal(frame);
    expect([packageOf("sdk").dependencies, packageOf("sdk").optionalDependencies]).to.deep.equal([
      undefined,
      undefined,
    ]);
  });

  it("of ours brings only what cannot be put into its files: what is large, native, or without a license", () => {
    const brought = folders
      .filter((folder) => !folder.startsWith("examples/"))
      .flatMap((folder) => {
        const { dependencies, optionalDependencies, pergolaExtras = {} } = packageOf(folder);
        const extras = Object.values(pergolaExtras).flatMap(({ packages }) => packages);
        const all = Object.keys({ ...dependencies, ...optionalDependencies });
        return all.filter((name) => !extras.includes(name));
      });
    expect(
      [...new Set(brought)].filter((name) => !/^(@pergola\/|pergola$)/.test(name)).toSorted(),
    ).to.deep.equal(["@napi-rs/keyring", "better-sqlite3", "pg", "saxes", "sqlite-vec"]);
  });

  it("of every folder takes packages that have their reasons in the decision on libraries, and these alone", () => {
    const isForeign = (name: string): boolean => !/^(@pergola\/|@types\/|pergola$)/.test(name);
    const taken = [".", ...folders].flatMap((folder) => {
      const { dependencies, optionalDependencies, peerDependencies, devDependencies } = packageOf(folder);
      return Object.keys({
        ...dependencies,
        ...optionalDependencies,
        ...peerDependencies,
        ...devDependencies,
      });
    });
    const [, all = ""] = read("docs/decisions/0001-libraries.md").split("## All packages");
    const [lists = ""] = all.split("\n## ");
    const listed = [...lists.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, cell = ""]) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
    );
    expect([...new Set(listed)].toSorted()).to.deep.equal([...new Set(taken.filter(isForeign))].toSorted());
  });
});
