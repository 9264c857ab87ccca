import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { needsSandbox } from "../../boundary/support/program-stage.ts";
import { pluginDigest } from "../../../core/plugins/plugin-digest.ts";
import { approvePlugins } from "../../support/approve-plugins.ts";
import { freePort, openProject, type Project } from "../../support/pergola.ts";
import { toolPlugin } from "../../support/plugins/write-plugin.ts";

describe("a package of somebody else that changes (S24)", function () {
  this.timeout(180_000);
  before(function () {
    needsSandbox.call(this);
  });
  let project: Project;
  let folder: string;
  beforeEach(async () => {
    project = await openProject();
    const modules = path.join(project.folder, "..", "node_modules");
    mkdirSync(modules);
    folder = toolPlugin(modules, "tool-somebody", `return { data: "as it was" };`);
    project.settings({ plugins: ["@pergola/bundle-standard", "tool-somebody"] });
  });
  afterEach(() => project.close());

  const lockFile = (): string => path.join(project.data, "plugins", "lock.json");
  const call = async (): Promise<string> => {
    const { stdout, stderr } = await project.run(["tools", "call", "tool_somebody.go", "--yes"]);
    return stdout + stderr;
  };
  const listed = async (): Promise<string> => (await project.run(["plugins", "list"])).stdout;
  const change = (): void => appendFileSync(path.join(folder, "index.js"), "\n// and more\n");

  const approve = async (): Promise<void> => {
    const { stdout } = await project.run(["plugins", "approve", "tool-somebody", "--dry-run", "--json"]);
    const { consent } = JSON.parse(stdout) as { readonly consent: string };
    const words = ["plugins", "approve", "tool-somebody", "--yes", "--permissions", consent];
    expect(await project.run(words)).to.include({ code: 0 });
  };

  const link = async (): Promise<void> => {
    project.settings({});
    const add = ["plugins", "add", folder, "--link"];
    const { stdout } = await project.run([...add, "--dry-run", "--json"]);
    const { consent } = JSON.parse(stdout) as { readonly consent: string };
    expect(await project.run([...add, "--yes", "--permissions", consent])).to.include({ code: 0 });
  };

  it("S24: is left out until it is approved, and again once it has changed", async () => {
    expect(await listed()).to.match(/^✗ tool-somebody.*\n.*nobody has approved it yet/m);
    expect(await call()).to.not.include("as it was");
    await approve();
    expect(await call()).to.include("as it was");
    expect(statSync(lockFile()).mode & 0o777).to.equal(0o600);
    change();
    expect(await listed()).to.match(/^✗ tool-somebody.*\n.*changed since you approved it on .*its files/m);
    expect(await call())
      .to.include("pergola plugins approve tool-somebody")
      .and.not.include("as it was");
    const refused = await project.run(["plugins", "approve", "tool-somebody", "--yes"]);
    expect([refused.code, refused.stdout.includes("tool_somebody (go: read)")]).to.deep.equal([2, true]);
    expect(await listed()).to.match(/^✗ tool-somebody/m);
    await approve();
    expect(await call()).to.include("as it was");
  });

  it("S24: counts a file that is added, one that becomes a program, and another version", async () => {
    await approvePlugins(project.data, folder);
    const changes: readonly (() => void)[] = [
      () => writeFileSync(path.join(folder, "more.js"), ""),
      () => chmodSync(path.join(folder, "index.js"), 0o755),
      () => {
        const file = path.join(folder, "package.json");
        writeFileSync(file, readFileSync(file, "utf8").replace("1.2.3", "2.0.0"));
      },
    ];
    for (const apply of changes) {
      apply();
      expect(await listed()).to.match(/^✗ tool-somebody/m);
      await approve();
      expect(await listed()).to.match(/^✓ tool-somebody/m);
    }
  });

  it("S24: tells of one whose packages have changed while its code waits for a call, and refuses calls", async () => {
    const packageFile = path.join(folder, "node_modules", "some-package", "index.js");
    mkdirSync(path.dirname(packageFile), { recursive: true });
    writeFileSync(packageFile, "");
    await approvePlugins(project.data, folder);
    expect(await call()).to.include("as it was");
    appendFileSync(packageFile, "// and more\n");
    const service = project.begin(["start", "--port", String(await freePort())]);
    await service.wrote("changed since you approved it");
    expect(await listed()).to.match(/^✗ tool-somebody.*\n.*changed since you approved it/m);
    expect(await call()).to.not.include("as it was");
    await service.end();
  });

  it("S24: leaves out one with a link that leads out of it", async () => {
    await approvePlugins(project.data, folder);
    symlinkSync("/etc/passwd", path.join(folder, "data.txt"));
    expect(await listed()).to.match(/^✗ tool-somebody.*\n.*data\.txt is a link to somewhere else/m);
    const { code, stderr } = await project.run(["plugins", "approve", "tool-somebody", "--dry-run"]);
    expect([code, stderr]).to.deep.equal([
      2,
      "tool-somebody cannot be approved where it is: its file data.txt is a link to somewhere else. " +
        `Add it as it would be published: pergola plugins add ${folder}\n`,
    ]);
  });

  it("S24: does not begin anew with a lock that was damaged", async () => {
    await approvePlugins(project.data, folder);
    writeFileSync(lockFile(), "{");
    expect(await listed()).to.match(/^✗ tool-somebody.*\n.*lock\.json cannot be read/m);
  });

  it("S24: keeps what a lock of an earlier version says", async () => {
    const files = await pluginDigest(folder);
    mkdirSync(path.dirname(lockFile()), { recursive: true });
    const entry = { version: "1.2.3", files, approvedAt: "2026-01-01T00:00:00.000Z" };
    writeFileSync(lockFile(), JSON.stringify({ "tool-somebody": entry }));
    expect(await call()).to.include("as it was");
  });

  it("S24: leaves a plugin that its author links to its author, but not what it may do", async () => {
    await link();
    expect(await call()).to.include("as it was");
    change();
    expect(await call()).to.include("as it was");
    expect(await listed()).to.match(/^✓ tool-somebody.*linked, not pinned/m);
    const file = path.join(folder, "plugin.json");
    const manifest = JSON.parse(readFileSync(file, "utf8")) as object;
    writeFileSync(file, JSON.stringify({ ...manifest, permissions: { files: "any" } }));
    expect(await listed()).to.match(/^✗ tool-somebody.*\n.*asks for more than was approved: files: any/m);
  });

  it("S24: brings what its packages have changed from the next start on, and not under the old description", async () => {
    const words = path.join(folder, "node_modules", "words");
    mkdirSync(words, { recursive: true });
    writeFileSync(
      path.join(words, "package.json"),
      `{ "name": "words", "type": "module", "main": "index.js" }`,
    );
    const say = (text: string): void =>
      writeFileSync(path.join(words, "index.js"), `export default ${JSON.stringify(text)};`);
    const entry = path.join(folder, "index.js");
    const code = readFileSync(entry, "utf8").replace('"A tool under test"', "words");
    writeFileSync(entry, `import words from "words";\n${code}`);
    say("Goes.");
    await link();
    expect(await call()).to.include("as it was");
    say("Goes far.");
    expect(await call()).to.include("has changed since the service started");
    expect(await call()).to.include("as it was");
  });
});
