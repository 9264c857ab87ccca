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
import { openProject, type Project } from "../../support/pergola.ts";
import { toolPlugin } from "../../support/plugins/write-plugin.ts";

describe("a package of somebody else that changes (S24)", function () {
  this.timeout(180_000);
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

  it("S24: is used as it is at first, and left out once it has changed, until it is approved", async () => {
    expect(await call()).to.include("as it was");
    expect(statSync(lockFile()).mode & 0o777).to.equal(0o600);
    expect(await call()).to.include("as it was");
    change();
    expect(await listed()).to.match(/^✗ tool-somebody.*\n.*changed since it was approved on .*its files/m);
    expect(await call())
      .to.include("pergola plugins approve tool-somebody")
      .and.not.include("as it was");
    const refused = await project.run(["plugins", "approve", "tool-somebody"]);
    expect([refused.code, refused.stdout.includes("tool_somebody (go)")]).to.deep.equal([1, true]);
    expect(await listed()).to.match(/^✗ tool-somebody/m);
    expect(await project.run(["plugins", "approve", "tool-somebody", "--yes"])).to.include({ code: 0 });
    expect(await call()).to.include("as it was");
  });

  it("S24: counts a file that is added, one that becomes a program, and another version", async () => {
    await call();
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
      await project.run(["plugins", "approve", "tool-somebody", "--yes"]);
      expect(await listed()).to.match(/^✓ tool-somebody/m);
    }
  });

  it("S24: leaves out one with a link that leads out of it", async () => {
    symlinkSync("/etc/passwd", path.join(folder, "data.txt"));
    expect(await listed()).to.match(/^✗ tool-somebody.*\n.*data\.txt is a link to somewhere else/m);
  });

  it("S24: does not begin anew with a lock that was damaged", async () => {
    await call();
    writeFileSync(lockFile(), "{");
    change();
    expect(await listed()).to.match(/^✗ tool-somebody.*\n.*lock\.json cannot be read/m);
  });

  it("S24: leaves a plugin in a folder to its author", async () => {
    project.settings({ plugins: ["@pergola/bundle-standard", folder] });
    await call();
    change();
    expect(await call()).to.include("as it was");
  });
});
