import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { openProject, type Project } from "../../support/pergola.ts";

describe("pergola conversations", function () {
  this.timeout(40_000);
  let project: Project;
  beforeEach(async () => {
    project = await openProject();
  });
  afterEach(() => project.close());

  const conversations = (...words: readonly string[]) => project.run(["conversations", ...words]);

  it("lists, writes a file that nobody else can read, and takes it in again", async () => {
    await project.run(["run", "Paint the fence"]);
    const listed = await conversations("list");
    expect(listed.code).to.equal(0);
    const [id = ""] = listed.stdout.split(" ");
    expect(listed.stdout).to.match(/^[0-9a-f-]{36} \S.* \d{4}-\d\d-\d\d, 2 messages\n$/);
    const file = path.join(project.folder, "out.json");
    expect(await conversations("export", id, "--output", file)).to.include({ code: 0, stdout: "" });
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    const again = await conversations("export", id, "--output", file);
    expect([again.code === 0, again.stderr.includes("out.json")]).to.deep.equal([false, true]);
    const taken = await conversations("import", file);
    expect(taken.code).to.equal(0);
    expect(taken.stderr).to.include("Imported 1 conversation, 2 messages in all.");
    expect(taken.stdout.trim())
      .to.match(/^[0-9a-f-]{36}$/)
      .and.not.equal(id);
    expect((await conversations("list", "--json")).stdout).to.include('"count":2');
    expect((await conversations("import", file, "--on-conflict", "fail")).code).not.to.equal(0);
    const { stdout } = await conversations("export", id, "--format", "markdown");
    expect(stdout).to.match(/^# /).and.include("Paint the fence");
    expect(JSON.parse(readFileSync(file, "utf8"))).to.include({ formatVersion: "1.0" });
  });

  it("finds what was said by its words, in all conversations or in one", async () => {
    await project.run(["run", "Paint the garden fence in green"]);
    await project.run(["run", "Buy paint for the gate"]);
    const found = await conversations("search", "paint");
    expect([found.code, found.stderr]).to.deep.equal([0, ""]);
    const lines = found.stdout.trimEnd().split("\n");
    expect(lines.filter((line) => /^[0-9a-f-]{36} .*, user$/.test(line))).to.have.lengthOf(2);
    expect(found.stdout).to.include("    Paint the garden fence in green\n");
    const phrase = await conversations("search", '"garden fence"', "gre*");
    expect(phrase.stdout.match(/, user$/gm)).to.have.lengthOf(1);
    const [id = ""] = phrase.stdout.split(" ");
    const inOne = await conversations("search", "paint", "--conversation", id, "--json");
    expect(JSON.parse(inOne.stdout)).to.include({ count: 1, complete: true });
    expect((await conversations("search", "unheard")).stderr).to.equal("Nothing was found.\n");
  });

  it("says what is wrong with a file, and with an id", async () => {
    const file = path.join(project.folder, "bad.json");
    writeFileSync(file, "{");
    const bad = await conversations("import", file);
    expect([bad.code === 0, bad.stderr.includes("cannot be read: it is not JSON")]).to.deep.equal([
      false,
      true,
    ]);
    writeFileSync(file, '{"formatVersion":"1.0","conversation":{"messages":[{"role":"wizard"}]}}');
    expect((await conversations("import", file)).stderr).to.include("role");
    const output = path.join(project.folder, "none.json");
    const none = await conversations("export", "nowhere", "--output", output);
    expect([none.code === 0, none.stderr.includes("nowhere"), existsSync(output)]).to.deep.equal([
      false,
      true,
      false,
    ]);
  });

  it("P10: shows, renames and deletes one, and says when a search finds nothing", async () => {
    expect((await conversations("list")).stderr).to.equal("There is no conversation yet.\n");
    await project.run(["run", "Paint the fence"]);
    const [id = ""] = (await conversations("list")).stdout.split(" ");
    const shown = await conversations("show", id);
    expect(shown.stdout).to.match(/> Paint the fence\n\nHello\.\n/);
    expect(await conversations("rename", id, "The", "fence")).to.include({ stderr: "Renamed: The fence\n" });
    expect((await conversations("list", "fence")).stdout).to.include(`${id} The fence`);
    expect((await conversations("list", "pond")).stderr).to.equal("Nothing was found.\n");
    const nobody = await conversations("delete", id);
    expect([nobody.code, nobody.stderr.includes("add --yes")]).to.deep.equal([2, true]);
    expect((await conversations("delete", id, "--yes")).stderr).to.equal("Deleted: The fence\n");
    expect((await conversations("show", id)).code).to.equal(2);
  });
});
