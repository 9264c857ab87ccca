import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { openProject, type Project } from "../../support/pergola.ts";

describe("the file of pergola backup", function () {
  this.timeout(90_000);
  let project: Project;
  beforeEach(async () => {
    project = await openProject();
  });
  afterEach(() => project.close());

  const inProject = (name: string) => path.join(project.folder, name);
  const backup = (name: string) => project.run(["backup", inProject(name)]);
  /** Everything below a folder, as it can be seen from outside. */
  const seen = (folder: string): readonly string[] =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted();

  it("names links that it leaves out, but for that to the SDK, which each start makes", async () => {
    await project.run(["run", "one"]);
    const modules = path.join(project.data, "plugins", "node_modules", "@pergola");
    mkdirSync(modules, { recursive: true });
    for (const place of [path.join(modules, "sdk"), path.join(project.data, "elsewhere")])
      symlinkSync(project.folder, place);
    const { stdout } = await backup("links.tar.gz");
    expect(stdout).to.include("cannot have it: elsewhere").and.not.include("@pergola");
  });

  it("is never written over a file, and leaves nothing behind in the data directory", async () => {
    await project.run(["run", "Paint the fence"]);
    writeFileSync(inProject("taken.tar.gz"), "mine");
    const before = seen(project.data);
    const refused = await backup("taken.tar.gz");
    expect([refused.code, readFileSync(inProject("taken.tar.gz"), "utf8")]).to.deep.equal([2, "mine"]);
    const nowhere = await backup(path.join("no-such-folder", "b.tar.gz"));
    expect([nowhere.code, nowhere.stderr]).to.deep.equal([
      2,
      `There is no folder ${inProject("no-such-folder")} for the backup. Make it first.\n`,
    ]);
    expect((await backup(path.join("taken.tar.gz", "b.tar.gz"))).code).to.equal(2);
    expect((await backup(`${"long".repeat(80)}.tar.gz`)).code).to.equal(3);
    expect(seen(project.data)).to.deep.equal(before);
  });
});
