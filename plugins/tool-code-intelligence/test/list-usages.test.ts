import { mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { FoundUsage } from "@pergola/kit-code-symbols";
import { ToolError } from "@pergola/sdk";
import { commit, git, hasGit } from "./repository.ts";
import { workspace, type Workspace } from "./workspace.ts";

const usages = (place: Workspace, args: Readonly<Record<string, unknown>> = {}) =>
  place.data<readonly FoundUsage[]>("list_usages", { symbol_name: "needle", ...args });
const filesOf = async (place: Workspace, args: Readonly<Record<string, unknown>> = {}) =>
  (await usages(place, args)).map(({ file }) => file).toSorted();

describe("list_usages", function () {
  this.timeout(30_000);

  it("gives file, line, column, context and kind, definitions first", async () => {
    const place = workspace({
      "a.py": "import b\n\n  # needle\nx = needle()\ny = 1\nz = 2\nend\n",
      "b.py": "def needle():\r\n    pass\r\n",
    });
    expect(await usages(place)).to.deep.equal([
      { file: "b.py", line: 1, column: 5, context: "def needle():\n    pass\n", kind: "definition" },
      { file: "a.py", line: 4, column: 5, context: "\n  # needle\nx = needle()\ny = 1\nz = 2", kind: "call" },
    ]);
  });

  it("shows as many lines around as are asked for", async () => {
    const place = workspace({ "a.py": "a\nb\nneedle\nc\nd\n" });
    expect((await usages(place, { context_lines: 0 })).map(({ context }) => context)).to.deep.equal([
      "needle",
    ]);
    expect((await usages(place, { context_lines: 1 })).map(({ context }) => context)).to.deep.equal([
      "b\nneedle\nc",
    ]);
    expect((await usages(place, { context_lines: 20 })).map(({ context }) => context)).to.deep.equal([
      "a\nb\nneedle\nc\nd\n",
    ]);
  });

  it("shows the piece of a long line that holds the symbol", async () => {
    const place = workspace({ "a.js": `${"x;".repeat(5000)}needle();${"y;".repeat(5000)}` });
    const [usage] = await usages(place);
    expect(usage).to.include({ line: 1, column: 10_001, kind: "call" });
    expect(usage?.context).to.contain("needle()").and.have.length(302);
  });

  it("counts columns in UTF-16 units, in other scripts too", async () => {
    const place = workspace({ "a.py": "größe = 1\nprint('🙂', größe)\n" });
    const found = await usages(place, { symbol_name: "größe" });
    expect(found.map(({ line, column }) => [line, column])).to.deep.equal([
      [1, 1],
      [2, 13],
    ]);
  });

  it("does not take a part of a name for the name", async () => {
    const place = workspace({
      "a.py": "needles()\nx.needle_bar()\n_needle = 1\nneedle2 = 1\n",
      "a.rb": "needle? ; needle!\n",
      "a.kt": "needles",
    });
    expect(await usages(place)).to.deep.equal([]);
  });

  it("finds usages in broken code", async () => {
    expect(await usages(workspace({ "a.ts": "function needle( {\n  needle(1)\n" }))).to.have.length(2);
  });

  for (const given of [".", "two words", "a-b", "()", "--flag="]) {
    it(`refuses ${given}`, async () => {
      expect((await workspace().failure("list_usages", { symbol_name: given })).code).to.equal(
        "invalid_value",
      );
    });
  }

  it("looks only where it is told, and says when that is nowhere", async () => {
    const place = workspace({
      "a.py": "needle()",
      "b/b.py": "needle()",
      "c.py": "needle()",
      "~x/d.py": "needle()",
    });
    expect(await filesOf(place, { file_paths: ["b", "c.py", "b/b.py"] })).to.deep.equal(["b/b.py", "c.py"]);
    expect(await filesOf(place, { file_paths: ["./~x"] })).to.have.length(1);
    expect(await filesOf(place)).to.have.length(4);
    expect(
      (await place.failure("list_usages", { symbol_name: "needle", file_paths: ["b/x.py"] })).code,
    ).to.equal("file_not_found");
    expect(
      (await place.failure("list_usages", { symbol_name: "needle", file_paths: ["../x"] })).code,
    ).to.equal("path_escape");
    expect(
      (await place.failure("list_usages", { symbol_name: "needle", file_paths: ["/etc"] })).code,
    ).to.equal("permission_denied");
  });

  it("passes over binary files, large files, dependencies and links", async () => {
    const place = workspace({
      "a.py": "needle()",
      "binary.py": new Uint8Array([0, ...Buffer.from("needle()")]),
      "large.py": `needle()\n${"#".repeat(1 << 20)}`,
      "node_modules/x/a.js": "needle()",
      ".git/a.py": "needle()",
      "notes.txt": "needle()",
    });
    symlinkSync(path.join(place.root, "a.py"), path.join(place.root, "link.py"));
    symlinkSync("/", path.join(place.root, "all"));
    expect(await filesOf(place)).to.deep.equal(["a.py"]);
  });
});

describe("list_usages in a repository", function () {
  this.timeout(30_000);
  const files = {
    ".gitignore": "*.gen.py\n/dist/\n",
    "a.py": "needle()",
    "a.gen.py": "needle()",
    "kept.gen.py": "needle()",
    "dist/a.py": "needle()",
    "sub/dist/a.py": "needle()",
    "sub/.gitignore": "own.py\n!b.gen.py\n",
    "sub/own.py": "needle()",
    "sub/b.gen.py": "needle()",
    "node_modules/x/a.py": "needle()",
    "inner/.gitignore": "x.py\n",
    "inner/x.py": "needle()",
    "inner/y.py": "needle()",
    "ü b.py": "needle()",
  };
  let place: Workspace;

  before(function () {
    if (!hasGit()) {
      console.log("      needs the Debian package git");
      this.skip();
    }
    place = workspace(files);
    git(place.root, ["init", "--quiet"]);
    git(place.root, ["add", "--force", "kept.gen.py"]);
    git(path.join(place.root, "inner"), ["init", "--quiet"]);
    symlinkSync("a.py", path.join(place.root, "link.py"));
  });

  it("sees what version control has or would take, in repositories inside it too", async () => {
    expect(await filesOf(place)).to.deep.equal([
      "a.py",
      "inner/y.py",
      "kept.gen.py",
      "sub/b.gen.py",
      "sub/dist/a.py",
      "ü b.py",
    ]);
  });

  it("sees the same from a folder of it", async () => {
    expect(await filesOf(place, { file_paths: ["sub"] })).to.deep.equal(["sub/b.gen.py", "sub/dist/a.py"]);
  });

  it("looks into what is ignored when that is named", async () => {
    expect(await filesOf(place, { file_paths: ["dist", "a.gen.py", "node_modules/x"] })).to.deep.equal([
      "a.gen.py",
      "dist/a.py",
      "node_modules/x/a.py",
    ]);
  });

  it("sees submodules, and repositories below a folder that is none", async () => {
    const outer = workspace();
    const source = path.join(outer.root, "one");
    mkdirSync(source);
    commit(source, {
      message: "x",
      date: "2024-01-01T00:00:00Z",
      files: { ".gitignore": "gen.py", "a.py": "needle()" },
    });
    outer.put({ "one/gen.py": "needle()", "two/a.py": "needle()" });
    git(path.join(outer.root, "two"), ["init", "--quiet"]);
    git(path.join(outer.root, "two"), [
      "-c",
      "protocol.file.allow=always",
      "submodule",
      "--quiet",
      "add",
      source,
      "mod",
    ]);
    expect(await filesOf(outer)).to.deep.equal(["one/a.py", "two/a.py", "two/mod/a.py"]);
  });

  it("works without git, where ignored files are seen too", async () => {
    const spawn = (): Promise<never> =>
      Promise.reject(new ToolError("unavailable", 'The program "git" is not installed.'));
    const { data } = await place.run("list_usages", { symbol_name: "needle" }, { spawn });
    expect((data as readonly FoundUsage[]).map(({ file }) => file)).to.include.members([
      "a.gen.py",
      "a.py",
      "inner/y.py",
    ]);
    expect((data as readonly FoundUsage[]).some(({ file }) => file.includes("node_modules"))).to.equal(false);
    const error: unknown = await place
      .run("search_history", { query: "x" }, { spawn })
      .catch((reason: unknown) => reason);
    expect(error).to.have.property("code", "unavailable");
  });
});

/** The longest time in which nothing else could run, and how long the work took, in milliseconds. */
async function watched(
  work: () => Promise<unknown>,
): Promise<{ readonly took: number; readonly stall: number }> {
  const started = performance.now();
  let [last, stall] = [started, 0];
  const timer = setInterval(() => {
    stall = Math.max(stall, performance.now() - last);
    last = performance.now();
  }, 5);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return { took: performance.now() - started, stall: Math.max(stall, performance.now() - last) };
}

describe("list_usages of much", function () {
  this.timeout(60_000);
  this.retries(2);
  const nested = `x = ${"[".repeat(100_000)}needle`;
  const wide = `const all = [${"needle, ".repeat(20_000)}];`;

  it("gives the first thousand, definitions first, and counts all", async () => {
    const place = workspace({ "a.ts": wide, "b.ts": "function needle() {}" });
    const { data, message } = await place.run("list_usages", { symbol_name: "needle" });
    const found = data as readonly FoundUsage[];
    expect(found).to.have.length(1000);
    expect(found[0]).to.include({ file: "b.ts", kind: "definition" });
    expect(message).to.match(
      /^20001 usages of needle in 2 code files, 1 definition among them\. The first 1000 are listed/,
    );
  });

  it("lets others run while it parses", async () => {
    const place = workspace({ "a.ts": wide, "b.py": nested });
    const { stall } = await watched(() => usages(place));
    expect(stall).to.be.below(500);
  });

  it("covers a tree of 2,000 files, and tells how far it is", async () => {
    const source = Array.from(
      { length: 60 },
      (_, index) => `export const value${index} = compute(${index}); // needle`,
    ).join("\n");
    const files = Object.fromEntries(
      Array.from({ length: 2000 }, (_, index) => [`m${index % 50}/f${index}.ts`, source]),
    );
    const place = workspace({ ...files, "m49/z.ts": "needle();" });
    const { took, stall } = await watched(async () =>
      expect(await filesOf(place)).to.deep.equal(["m49/z.ts"]),
    );
    expect(took).to.be.below(30_000);
    expect(stall).to.be.below(500);
    expect(place.context.progressed).to.include("Looked into 1000 of 2001 files");
  });

  it("stops within two seconds of a cancel, while a thread parses", async () => {
    const stop = new AbortController();
    const place = workspace(
      Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`a${index}.ts`, wide])),
      { signal: stop.signal },
    );
    const running = usages(place).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    await new Promise((resolve) => setTimeout(resolve, 1000));
    stop.abort(new Error("stopped"));
    const { took } = await watched(() => running);
    expect(await running).to.have.property("message", "stopped");
    expect(took).to.be.below(2000);
  });
});
