import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { read, root } from "../architecture/tree.ts";
import { install } from "../support/alone/project.ts";
import { hasRegistry } from "../support/global-install.ts";
import { packedPackages } from "../support/packed.ts";
import { openProject, type Project } from "../support/pergola.ts";

interface Package {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const schema = JSON.parse(read("sdk/manifest.schema.json")) as {
  readonly properties: { readonly kind: { readonly enum: readonly string[] } };
};
const kinds = schema.properties.kind.enum;
const packageOf = (file: string): Package => JSON.parse(read(file)) as Package;

/** What `pergola plugins new` of docs/plugins.md makes, outside of this tree, but with its packages. */
describe("pergola plugins new", function () {
  this.timeout(240_000);
  let project: Project;
  const made = (kind: string): string => path.join(project.folder, `pergola-${kind}-web-cam`);
  const make = (...words: readonly string[]) => project.run(["plugins", "new", ...words], { bare: true });
  /** Runs a program in a folder, with the packages of this tree as they were built; gives its output. */
  const run = async (folder: string, program: string, ...words: readonly string[]): Promise<string> => {
    const env = {
      ...process.env,
      PATH: `${path.join(root, "node_modules", ".bin")}:${process.env["PATH"]}`,
    };
    const begun = promisify(execFile)(program, words, { cwd: folder, env });
    return begun.then(
      ({ stdout }) => stdout,
      (error: { readonly stdout: string; readonly stderr: string }) =>
        expect.fail(error.stdout + error.stderr),
    );
  };

  before(async () => {
    project = await openProject();
    symlinkSync(path.join(root, "node_modules"), path.join(project.folder, "node_modules"));
    for (const kind of kinds) expect(await make(kind, "web-cam"), kind).to.include({ code: 0, stderr: "" });
  });
  after(() => project.close());

  it("has a template for every kind of plugin, and no other", () => {
    const templates = readdirSync(path.join(root, "core", "templates"));
    expect(templates).to.have.members(["common", ...kinds]);
  });

  for (const kind of kinds)
    it(`${kind}: makes a package that passes its own tests at once`, async () => {
      const output = await run(made(kind), "sh", "-c", "npm test 2>&1");
      expect(output).to.match(/[1-9]\d* passing/);
      expect(output).not.to.match(/failing|pending|"level":"error"/);
    });

  it("prints, where the packages came from tarballs, the lines that install and test a package", async function () {
    if (!hasRegistry()) return this.skip();
    const installation = temporaryFolder("pergola-installed-");
    await install(installation, [...packedPackages.keys()]);
    const program = path.join(installation, "node_modules", ".bin", "pergola");
    const folder = temporaryFolder("pergola-author-");
    // The bundle depends on further packages of Pergola.
    const output = await run(folder, program, "plugins", "new", "bundle", "trio", "--json");
    const { steps } = JSON.parse(output) as { readonly steps: readonly string[] };
    const env = [
      "npm_config_ignore_scripts=true",
      "npm_config_prefer_offline=true",
      "npm_config_audit=false",
    ];
    const lines = [...env.map((one) => `export ${one}`), ...steps].join(" && ");
    expect(await run(folder, "sh", "-c", lines)).to.match(/[1-9]\d* passing/);
    expect(JSON.parse(readFileSync(path.join(folder, "pergola-bundle-trio", "package.json"), "utf8")))
      .to.have.property("dependencies")
      .that.deep.includes({ "@pergola/tool-think": "^0.1.0" });
  });

  it("makes what `pergola plugins check` accepts", async () => {
    const trusted = kinds.filter((kind) => !["tool", "bundle", "feature"].includes(kind));
    const check = (names: readonly string[], ...more: readonly string[]) =>
      project.run(["plugins", "check", ...names.map(made), "--no-types", "--json", ...more], { bare: true });
    await Promise.all(kinds.map((kind) => run(made(kind), "npm", "run", "build")));
    // The feature has the route of the endpoint.
    for (const program of [
      await check(["bundle"]),
      await check(trusted, "--trusted"),
      await check(["feature"], "--trusted"),
    ])
      expect(JSON.parse(program.stdout)).to.deep.include({ faulty: [] });
  });

  it("makes a tool whose tests fail when the tool is wrong", async () => {
    await make("tool", "wrong");
    const folder = path.join(project.folder, "pergola-tool-wrong");
    const file = path.join(folder, "operations", "count-words.ts");
    writeFileSync(file, readFileSync(file, "utf8").replace("length >= minimum", "length > minimum"));
    const output = await promisify(execFile)(
      path.join(root, "node_modules/.bin/mocha"),
      ["--import=tsx", "test/*words.test.ts"],
      { cwd: folder },
    ).catch((error: { readonly stdout: string }) => error);
    expect(output.stdout).to.include("1 failing");
  });

  it("gives every package its manifest, types, tests, page and a run of the tests on each push", () => {
    const needed = [
      ".github/workflows/test.yml",
      ".gitignore",
      "README.md",
      "index.ts",
      "package.json",
      "plugin.json",
      "test",
      "tsconfig.json",
    ];
    for (const kind of kinds) {
      expect(readdirSync(made(kind), { recursive: true }), kind).to.include.members(needed);
      const texts = readdirSync(made(kind), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.parentPath.endsWith("dist"))
        .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), "utf8"));
      expect(texts.filter((text) => /sample[-_ ](name|kind)/i.test(text))).to.deep.equal([]);
    }
  });

  it("makes types that are right, by the configuration of the package", async () => {
    const config = JSON.parse(readFileSync(path.join(made("tool"), "tsconfig.json"), "utf8")) as object;
    const all = { ...config, include: kinds.map((kind) => path.basename(made(kind))) };
    writeFileSync(path.join(project.folder, "tsconfig.json"), JSON.stringify(all));
    expect(await run(project.folder, "tsc", "-p", ".")).to.equal("");
  });

  it("asks for the packages of this tree in their versions", () => {
    const { devDependencies: ours = {} } = packageOf("package.json");
    for (const file of ["common", "bundle"].map((name) => `core/templates/${name}/package.json`)) {
      const { dependencies, devDependencies, peerDependencies } = packageOf(file);
      for (const [name, range] of Object.entries({
        ...dependencies,
        ...devDependencies,
        ...peerDependencies,
      })) {
        const own = /^(@pergola\/|pergola$)/.test(name);
        const there = own ? `^${packageOf(`node_modules/${name}/package.json`).version}` : ours[name];
        expect(range, `${file}: ${name}`).to.equal(there);
      }
    }
  });

  it("says how to go on, also as JSON", async () => {
    const { stdout } = await make("policy", "pergola-policy-quiet", "--json");
    const { id, kind, folder, files } = JSON.parse(stdout) as Record<string, unknown>;
    expect({ id, kind, folder }).to.deep.equal({
      id: "pergola-policy-quiet",
      kind: "policy",
      folder: path.join(project.folder, "pergola-policy-quiet"),
    });
    expect(files).to.include.members(["plugin.json", ".gitignore", "test/policy.test.ts"]);
    expect((await make("tool", "dice")).stdout)
      .to.include("cd pergola-tool-dice")
      .and.include("npm test");
  });

  it("refuses a kind that there is not, a bad name and a folder that exists, and writes nothing", async () => {
    const before = readdirSync(project.folder);
    const refused = [
      [["tol", "dice"], 'Did you mean "tool"? There are: tool, provider'],
      [["tool", "Web Cam"], '"Web Cam" cannot be the name of a plugin. Use lower-case letters'],
      [["tool", "../dice"], '"../dice" cannot be the name'],
      [["tool", "9lives"], "a letter first"],
      [["tool", "a".repeat(41)], "at most 40"],
      [["tool", "web-cam"], "pergola-tool-web-cam exists already. Choose another name"],
    ] as const;
    for (const [words, message] of refused) {
      const { code, stderr } = await make(...words);
      expect([code, stderr], words.join(" ")).to.satisfy(
        ([ended, text]: [number, string]) => ended === 2 && text.includes(message),
      );
    }
    expect(readdirSync(project.folder)).to.deep.equal(before);
    expect(existsSync(path.join(project.folder, "..", "dice"))).to.equal(false);
  });
});
