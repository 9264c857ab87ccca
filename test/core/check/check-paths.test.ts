import { execFile } from "node:child_process";
import { readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { needsSandbox } from "../../boundary/support/program-stage.ts";
import { checkPaths, type CheckedPlugin, type PathCheck } from "../../../core/check/check-paths.ts";
import { silentLog } from "../../../core/cli/person-log.ts";
import { root } from "../../architecture/tree.ts";
import { writePlugin } from "../../support/plugins/write-plugin.ts";
import { brokenCopy, type Break } from "../../support/plugins/broken-copies.ts";
import { openProject, type Project } from "../../support/pergola.ts";

/** What is broken in one place of what `pergola plugins new` makes, and what its author is told. */
interface Case extends Break {
  readonly says: RegExp;
}

const operation = "operations/count-words.ts";
const tools: Readonly<Record<string, Case>> = {
  "a manifest with a field that nobody knows": {
    file: "plugin.json",
    from: '"permissions"',
    to: '"permisions"',
    says: /, manifest: .*permisions.* Correct plugin\.json/,
  },
  "a range of the SDK that this host does not satisfy": {
    file: "plugin.json",
    from: '"^1"',
    to: '"^9"',
    says: /made for SDK \^9, and this host has .*; install a version of it that fits/,
  },
  "a hook that there is not": {
    file: "plugin.json",
    from: '"provides": {',
    to: '"provides": { "hooks": ["shapeChatt"],',
    says: /no hook "shapeChatt"\. Did you mean "shapeChat"\?/,
  },
  "a secret that is not marked as one": {
    file: "plugin.json",
    from: '"permissions": {}',
    to: '"permissions": { "secrets": ["tools.secret_open.minimum_length"] }',
    says: /which is not secret: give the setting "x-secret": true/,
  },
  "a secret that its permissions do not name": {
    file: "plugin.json",
    from: '"settings": {',
    to: '"settings": { "tools.key": { "type": "string", "default": "", "description": "K", "x-secret": true },',
    says: /settings\.tools\.key is secret, and the plugin may not read it\. Add "tools\.key" to permissions/,
  },
  "a secret that its code reads and nothing declares": {
    file: operation,
    from: "const minimum",
    to: 'await context.secret("tools.other.key"); const minimum',
    says: /index\.js:\d+ reads the secret tools\.other\.key, which permissions\.secrets does not name\. Add/,
  },
  "a default that its own schema refuses": {
    file: "plugin.json",
    from: '"default": 1',
    to: '"default": 0',
    says: /the default of settings\..* Give settings\.tools\..* a default that its own schema allows/,
  },
  "a schema that cannot be compiled": {
    file: operation,
    from: "maxLength: 100_000",
    to: 'maxLength: "100" as never',
    says: /count_words\.parameters cannot be compiled: maxLength .* Correct the schema/,
  },
  "a schema with a pattern that is none": {
    file: operation,
    from: "maxLength: 100_000",
    to: 'pattern: "("',
    says: /parameters\.text: its pattern is no regular expression/,
  },
  "an operation without effect": {
    file: operation,
    from: 'effect: "none",',
    to: "",
    says: /operations\[0\] \(count_words\) has no effect: say what a call may do: none, read, write/,
  },
  "an operation whose run is missing": {
    file: operation,
    from: /async run[^]*/,
    to: "} as never);",
    says: /\(count_words\) has no run: give it async run\(args, context\)/,
  },
  "an operation whose run is no function": {
    file: operation,
    from: /async run[^]*/,
    to: 'run: "count" } as never);',
    says: /\(count_words\)\.run must be a function/,
  },
  "a use of the network that its permissions do not name": {
    file: operation,
    from: "const minimum",
    to: 'await context.fetch("https://example.org/"); const minimum',
    says: /index\.js:\d+ uses context\.fetch, and the plugin has no permission network\. Add "network":/,
  },
  "an entry that exports no plugin": {
    file: "index.ts",
    from: "export default definePlugin",
    to: "export const plugin = definePlugin",
    says: /no default export.* End its entry with `export default definePlugin/,
  },
  "an entry that throws while it is imported": {
    file: "index.ts",
    from: "export default",
    to: 'throw new Error("no luck"); export default',
    says: /, import: no luck\. Correct its code/,
  },
  "a package that is not installed": {
    file: "index.ts",
    from: "export const tool",
    to: 'import "not-there"; export const tool',
    says: /Cannot find package 'not-there'.* Name the package under dependencies/,
  },
  "an entry that is not built": {
    file: "package.json",
    from: "./dist/index.js",
    to: "./dist/none.js",
    says: /Cannot find module .* Build it \(npm run build\)/,
  },
  "another operation than its manifest promises": {
    file: operation,
    from: 'name: "count_words"',
    to: 'name: "count"',
    says: /the code provides .* Make `provides` in plugin\.json say what its code brings/,
  },
};

const inProcess: Readonly<Record<string, Case & { readonly of: string }>> = {
  "a storage that lacks methods": {
    of: "storage",
    file: "journal-storage.ts",
    from: /async commit\([^]*?\n {2}\}\n/,
    to: "",
    says: /the storage "trusted-0" has no commit\. Give it all that docs\/add-a-storage\.md lists/,
  },
  "a storage whose collections lack methods": {
    of: "storage",
    file: "journal-storage.ts",
    from: "count: async (filter)",
    to: "counted: async (filter)",
    says: /the collection of the storage "trusted-1" has no count/,
  },
  "one that hangs while it is imported": {
    of: "policy",
    file: "index.ts",
    from: "export default",
    to: "await new Promise(() => {}); export default",
    says: /, import: it took longer than 1\.5 s\. While it is imported it must neither wait nor work/,
  },
};

const fetching = `export default { description: "d", effect: "read",
  run: async (_: object, { fetch }) => ({ data: await (await fetch("https://example.org")).text() }) };
`;

describe("what `pergola plugins check` finds", function () {
  this.timeout(600_000);
  let project: Project;
  const notes: string[] = [];
  const made = (kind: string): string => path.join(project.folder, `pergola-${kind}-web-cam`);
  const check = (paths: readonly string[], more: Partial<PathCheck> = {}) =>
    checkPaths(paths, {
      log: silentLog,
      note: (text) => void notes.push(text),
      ...more,
    });
  const problemsOf = (plugins: readonly CheckedPlugin[], folder: string): readonly string[] => {
    const own = plugins.filter(({ id }) => id === path.basename(folder));
    return own.flatMap(({ problems }) => problems.map(({ message, remedy }) => `${message}. ${remedy}`));
  };

  before(async () => {
    // The types of the SDK, which the compiler reads.
    await promisify(execFile)(process.execPath, [path.join(root, "scripts", "build.mjs"), "--to-pack"]);
    project = await openProject();
    symlinkSync(path.join(root, "node_modules"), path.join(project.folder, "node_modules"));
    for (const kind of ["tool", "storage", "policy"])
      await project.run(["plugins", "new", kind, "web-cam"], { bare: true });
    const file = path.join(made("tool"), operation);
    const text = readFileSync(file, "utf8");
    const named = "{ text }, context) { const { settings } = context;";
    writeFileSync(file, text.replace("{ text }, { settings }) {", named));
  });
  after(() => project?.close());

  describe("in tools", () => {
    const names = Object.keys(tools);
    const nameOf = (what: string): string =>
      what === "a secret that is not marked as one" ? "secret-open" : `broken-${names.indexOf(what)}`;
    const folders = new Map<string, string>();
    let [good, typed] = ["", ""];
    let found: readonly CheckedPlugin[];
    before(async function () {
      needsSandbox.call(this);
      for (const [what, broken] of Object.entries(tools))
        folders.set(what, brokenCopy(made("tool"), nameOf(what), broken));
      good = brokenCopy(made("tool"), "good", { file: "README.md", from: "Develop", to: "Develop it" });
      const file = path.join(project.folder, "fetch_page.ts");
      writeFileSync(file, fetching);
      // One compiler is enough: the others' types are not looked at.
      for (const folder of [...folders.values(), good]) rmSync(path.join(folder, "tsconfig.json"));
      typed = brokenCopy(made("tool"), "typed", {
        file: "count.ts",
        to: `export const count: number = "7";
export const ask: () => { readonly counts: number } = () => ({ counts: [1] });
export const answer: () => Promise<{ readonly data: number }> = async () => {
  const data = ["7"];
  return { data };
};
`,
      });
      const options = { strict: true, noEmit: true, types: [] };
      const config = { compilerOptions: options, files: ["count.ts"] };
      writeFileSync(path.join(typed, "tsconfig.json"), JSON.stringify(config));
      found = await check([...folders.values(), good, typed, file]);
    });

    for (const [what, { says }] of Object.entries(tools))
      it(`names ${what}, with what to do, and nothing else`, () => {
        const problems = problemsOf(found, folders.get(what)!);
        expect(problems).to.have.length(1);
        expect(problems[0]).to.match(says);
      });

    it("names errors of types, by the compiler of the package", () => {
      const [problem, , deep] = problemsOf(found, typed);
      expect(problem).to.match(/^count\.ts\(1,14\): error TS2322: .* npx tsc --noEmit shows all/);
      expect(deep).to.match(/^count\.ts\(3,14\): .*Type 'string\[\]' is not assignable to type 'number'/);
    });

    it("names what is wrong with a tool in a single file", () => {
      const plugin = found.find(({ id }) => id === "file-fetch-page");
      expect(plugin?.problems.map(({ message }) => message)).to.deep.equal([
        "fetch_page.ts:2 uses context.fetch, and the plugin has no permission network",
      ]);
    });

    it("finds nothing wrong with what `pergola plugins new` makes", () => {
      expect(found.find(({ folder }) => folder === good)?.problems).to.deep.equal([]);
      expect(notes).to.deep.equal([]);
    });
  });

  describe("in plugins of the host's process", () => {
    const folders: string[] = [];
    let found: readonly CheckedPlugin[];
    before(async () => {
      const broken = Object.entries(inProcess);
      folders.push(
        ...broken.map(([, { of, ...one }], index) => brokenCopy(made(of), `trusted-${index}`, one)),
      );
      found = await check(folders, { trusted: true, types: false, deadlines: { import: 1500 } });
    });

    Object.entries(inProcess).forEach(([what, { says }], index) =>
      it(`names ${what}`, () => {
        const problems = problemsOf(found, folders[index]!);
        expect(problems).to.have.length(1);
        expect(problems[0]).to.match(says);
      }),
    );
  });

  it("takes the settings that it is given: a plugin may stand in for one of ours", async () => {
    const folder = writePlugin(project.folder, {
      id: "service-own-todos",
      kind: "service",
      provides: { parts: ["todos"] },
      code: "export default { parts: { todos: () => ({}) } };",
    });
    const settings = path.join(project.folder, "without-todos.json");
    writeFileSync(settings, JSON.stringify({ disabled: ["tool-todo-operations"] }));
    const [problem] = problemsOf(await check([folder], { trusted: true }), folder);
    expect(problem).to.include("the part todos is already provided by tool-todo-operations");
    expect(problemsOf(await check([folder], { trusted: true, settings }), folder)).to.deep.equal([]);
  });

  it("refuses a path that there is not", async () => {
    const error = await check([path.join(project.folder, "nowhere")]).catch((cause: unknown) => cause);
    expect(error).to.have.property("code", "not_found");
  });
});
