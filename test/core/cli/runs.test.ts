import { writeFile } from "node:fs/promises";
import path from "node:path";
import { chatReply } from "@pergola/sdk/testing";
import { expect } from "chai";
import { freePort, openProject, type Project } from "../../support/pergola.ts";

const writing = (filePath: string) =>
  chatReply({
    toolCalls: [{ name: "file_operations", arguments: { operation: "write_file", filePath, content: "x" } }],
  });

/** The commands of docs/explain-a-run.md are among them. */
describe("pergola runs (P4)", function () {
  this.timeout(60_000);
  let project: Project;
  beforeEach(async () => {
    project = await openProject();
  });
  afterEach(() => project.close());

  it("P4: lists the runs of all conversations, so that each can be undone", async () => {
    project.model.play([writing("a.txt"), chatReply({ text: "Done." })]);
    await project.run(["run", "Write a file"]);
    project.model.play(chatReply({ text: "Hello." }));
    await project.run(["run", "Say hello"]);
    const { stdout } = await project.run(["runs", "list"]);
    const [second = "", first = ""] = stdout.split("\n");
    expect(first).to.match(/^run_[0-9a-f]{32} .*workflow_complete, custom\/test, 1 change of files$/);
    expect(second).to.match(/^run_[0-9a-f]{32} .*workflow_complete, custom\/test$/);
    const [id = ""] = first.split(" ");
    const shown = await project.run(["runs", "show", id]);
    expect(shown.stdout).to.match(/^state +workflow_complete$/m);
    expect(shown.stderr).to.equal(`To undo its changes: pergola undo ${id}\n`);
    const explained = await project.run(["runs", "explain", id]);
    expect(explained.stdout).to.match(
      /^[\d:.]+ Changed what the model sees policy-prompt \(shapeModelCall\) \d+ ms$/m,
    );
    expect(explained.stdout).to.match(/^ {4}\+ .*<context>/m);
    expect(explained.stdout).to.match(
      /^[\d:.]+ Model answered +provider-chat-completions \d+ ms, \d+ tokens, /m,
    );
    expect(explained.stdout).to.match(/^ {4}file_operations\.write_file; /m);
    expect(explained.stderr).to.match(/^Begun .*: \d+ steps, 2 model calls, \d+ tokens\.\n$/);
    const ended = await project.run(["runs", "cancel", id]);
    expect([ended.code, ended.stderr === ""]).to.deep.equal([1, false]);
    const unknown = await project.run(["runs", "show", "run_1"]);
    expect([unknown.code, unknown.stderr.includes("`pergola runs list`")]).to.deep.equal([2, true]);
  });

  it("P4: resumes an interrupted run and follows it to its end", async () => {
    await writeFile(path.join(project.folder, "notes.txt"), "milk");
    // A call's intent is on the disk before the call: from then on the run is stored. Its first text is not.
    project.model.play([writing("b.txt"), chatReply([{ text: "I begin" }, { hang: true }])]);
    const program = project.begin(["run", "Go", "--json"]);
    await program.wrote("I begin");
    await program.end("SIGKILL");
    const listed = await project.run(["runs", "list", "--status", "interrupted", "--json"]);
    const [{ id }] = (JSON.parse(listed.stdout) as { readonly runs: readonly [{ readonly id: string }] })
      .runs;
    expect((await project.run(["runs", "show", id])).stderr).to.include(`pergola runs resume ${id}`);
    project.model.play(chatReply({ text: "Finished." }));
    const resumed = await project.run(["runs", "resume", id]);
    expect([resumed.code, resumed.stdout.includes("Finished.")], resumed.stderr).to.deep.equal([0, true]);
  });

  it("P4: cancels a run that works in a service", async () => {
    project.model.play(chatReply([{ text: "I begin" }, { hang: true }]));
    await project.begin(["start", "--port", String(await freePort())]).wrote("stop with Ctrl-C");
    const program = project.begin(["run", "Go"]);
    await program.wrote("I begin");
    const [id = ""] = (await project.run(["runs", "list"])).stdout.split(" ");
    expect(await project.run(["runs", "cancel", id])).to.include({ code: 0, stderr: `Cancelled: ${id}\n` });
    expect([await program.ended, program.stderr.includes("cancelled: ")]).to.deep.equal([1, true]);
  });
});
