import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { chatReply } from "@pergola/sdk/testing";
import { expect } from "chai";
import { openProject, type Project } from "../../support/pergola.ts";

const writing = (filePath: string, content: string) =>
  chatReply({
    toolCalls: [{ name: "file_operations", arguments: { operation: "write_file", filePath, content } }],
  });

describe("pergola undo", function () {
  this.timeout(60_000);
  let project: Project;
  before(async () => {
    project = await openProject();
  });
  after(() => project.close());
  const at = (name: string): string => path.join(project.folder, name);
  const text = (name: string): Promise<string> => readFile(at(name), "utf8");

  it("says that there is nothing yet", async () => {
    const { code, stderr } = await project.run(["undo"]);
    expect([code, stderr.includes("nothing to undo")], stderr).to.deep.equal([1, true]);
  });

  it("shows what the last run changed, asks first, and takes it back; then that is taken back", async () => {
    await writeFile(at("notes.txt"), "milk");
    project.model.play([
      writing("notes.txt", "bread"),
      writing("new.txt", "new"),
      chatReply({ text: "Done." }),
    ]);
    const { stderr: said } = await project.run(["run", "Write"]);
    const [, run = ""] = /2 changes of files; to undo: pergola undo (run_[0-9a-f]{32})\n$/.exec(said) ?? [];
    expect(run, said).to.not.equal("");
    const listed = await project.run(["undo", "--list"]);
    expect(listed.stdout).to.equal(
      `${run}: 2 changes of files\n  modified ${at("notes.txt")} (file_operations.write_file)\n  created  ${at("new.txt")} (file_operations.write_file)\n`,
    );
    const nobody = await project.run(["undo"]);
    expect([nobody.code, nobody.stderr.includes("--yes")], nobody.stderr).to.deep.equal([2, true]);
    expect(await text("notes.txt")).to.equal("bread");
    const some = await project.run(["undo", "--only", "notes.txt", "--yes"]);
    expect([some.code, await text("notes.txt"), existsSync(at("new.txt"))], some.stderr).to.deep.equal([
      0,
      "milk",
      true,
    ]);
    const rest = await project.run(["undo", "--yes"]);
    expect([rest.code, existsSync(at("new.txt"))]).to.deep.equal([0, false]);
    const [, back = ""] = /pergola undo (rev_[0-9a-f]{32})/.exec(rest.stderr) ?? [];
    const again = await project.run(["undo", back, "--yes", "--json"]);
    expect(JSON.parse(again.stdout)).to.deep.include({ id: back, success: true, refused: [] });
    expect(await text("new.txt")).to.equal("new");
  });

  it("undoes nothing when a file was changed since, and the rest with --partial", async () => {
    project.model.play([writing("a.txt", "1"), writing("b.txt", "1"), chatReply({ text: "Done." })]);
    await project.run(["run", "Write"]);
    await writeFile(at("a.txt"), "mine");
    const refused = await project.run(["undo", "--yes"]);
    expect([refused.code, existsSync(at("b.txt"))]).to.deep.equal([1, true]);
    expect(refused.stdout).to.contain(`refused  ${at("a.txt")}: It has changed since.`);
    const partly = await project.run(["undo", "--yes", "--partial"]);
    expect([partly.code, existsSync(at("b.txt")), await text("a.txt")]).to.deep.equal([1, false, "mine"]);
  });

  it("P4: takes the last run that changed files, in whatever conversation", async () => {
    project.model.play([writing("c.txt", "1"), chatReply({ text: "Done." })]);
    await project.run(["run", "Write"]);
    project.model.play(chatReply({ text: "Hello." }));
    await project.run(["run", "Say hello"]);
    const undone = await project.run(["undo", "--yes"]);
    expect([undone.code, existsSync(at("c.txt"))], undone.stderr).to.deep.equal([0, false]);
  });

  it("P4: names the next run when one cannot be undone", async () => {
    for (const name of ["d.txt", "e.txt"]) {
      project.model.play([writing(name, "1"), chatReply({ text: "Done." })]);
      await project.run(["run", "Write"]);
    }
    await writeFile(at("e.txt"), "mine");
    const { code, stderr } = await project.run(["undo", "--yes"]);
    expect(code).to.equal(1);
    const [, next = ""] = /pergola undo (run_[0-9a-f]{32})\./.exec(stderr) ?? [];
    const undone = await project.run(["undo", next, "--yes"]);
    expect([undone.code, existsSync(at("d.txt"))], stderr).to.deep.equal([0, false]);
    await rm(at("e.txt"));
  });

  for (const [what, name, call] of [
    [
      "calendar",
      "calendar_operations",
      { operation: "create_event", title: "Dentist", startDate: "2030-01-02T10:00:00" },
    ],
    ["contact", "contacts_operations", { operation: "create_contact", firstName: "Ada", lastName: "Byron" }],
    ["note", "notes_operations", { operation: "create_note", title: "Milk", body: "Buy milk." }],
  ] as const)
    it(`P3: undoes a run that made the first ${what}`, async () => {
      project.model.play([
        chatReply({ toolCalls: [{ name, arguments: call }] }),
        chatReply({ text: "Done." }),
      ]);
      const made = await project.run(["run", "Make it", "--allow", name]);
      expect(made.stderr).to.include("pergola undo run_");
      const undone = await project.run(["undo", "--yes"]);
      expect(undone.code, undone.stdout + undone.stderr + made.stderr).to.equal(0);
      expect(undone.stdout).to.match(/^ {2}removed +.*data/m);
    });
});
