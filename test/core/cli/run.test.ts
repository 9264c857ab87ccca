import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import { chatReply } from "@pergola/sdk/testing";
import { freePort, openProject, type Project } from "../../support/pergola.ts";

const readNotes = { name: "file_operations", arguments: { operation: "read_file", filePath: "notes.txt" } };
const deleteNotes = {
  name: "file_operations",
  arguments: { operation: "delete_file", filePath: "notes.txt" },
};

describe("pergola run", function () {
  this.timeout(30_000);
  let project: Project;
  beforeEach(async () => {
    project = await openProject();
    await writeFile(path.join(project.folder, "notes.txt"), "milk");
  });
  afterEach(() => project.close());

  for (const mode of ["build", "source"] as const)
    it(`works on a task until it is done: the answer on stdout, the steps on stderr, exit code 0 (${mode})`, async () => {
      project.model.play([chatReply({ toolCalls: [readNotes] }), chatReply({ text: "Milk is missing." })]);
      const { code, stdout, stderr } = await project.run(["run", "What is missing?"], { mode });
      expect([code, stdout]).to.deep.equal([0, "Milk is missing.\n"]);
      expect(stderr)
        .to.include("✓ file_operations.read_file")
        .and.match(/workflow_complete: 2 iterations, 1 tool calls, \d\.\d s\n$/);
    });

  it("ends with 1 at the iteration limit", async () => {
    project.model.play(() =>
      chatReply({
        toolCalls: [
          { ...readNotes, arguments: { ...readNotes.arguments, offset: project.model.requests.length } },
        ],
      }),
    );
    const { code, stderr } = await project.run(["run", "Go on for ever", "--max-iterations", "2"]);
    expect([code, stderr.includes("max_iterations_reached: 2 iterations")]).to.deep.equal([1, true]);
  });

  it("ends with 1 when the service refuses, and says why", async () => {
    const { code, stderr } = await project.run(["run", "x", "--model", "nobody/unknown"]);
    expect(code).to.equal(1);
    expect(stderr).to.include("nobody/unknown");
  });

  it("ends with 3 when nothing answers at the address", async () => {
    const { code } = await project.run(["run", "x", "--url", `http://127.0.0.1:${await freePort()}`], {
      bare: true,
    });
    expect(code).to.equal(3);
  });

  it("refuses what needs an approval when nobody is at the terminal, and tells the model", async () => {
    project.model.play([chatReply({ toolCalls: [deleteNotes] }), chatReply({ text: "I could not." })]);
    const { code, stdout, stderr } = await project.run(["run", "Delete the notes"]);
    expect([code, stdout]).to.deep.equal([0, "I could not.\n"]);
    expect(stderr)
      .to.include(`deleted ${path.join(project.folder, "notes.txt")}`)
      .and.include("Nobody is at the terminal");
    expect(existsSync(path.join(project.folder, "notes.txt"))).to.equal(true);
    const { body } = await project.model.request(1);
    expect(
      (body as { readonly messages: readonly { readonly content: string }[] }).messages.at(-1)?.content,
    ).to.include("Nobody is at the terminal");
  });

  it("P7: leaves a question to `pergola approvals` where the service runs on", async () => {
    project.model.play([chatReply({ toolCalls: [deleteNotes] }), chatReply({ text: "Done." })]);
    await project.begin(["start", "--port", String(await freePort())]).wrote("stop with Ctrl-C");
    const program = project.begin(["run", "Delete the notes"]);
    await program.wrote("or pergola approvals deny ");
    const [, id = ""] = /pergola approvals allow (apr_\w+),/.exec(program.stderr) ?? [];
    const listed = await project.run(["approvals", "list"]);
    expect(listed.stdout)
      .to.include(id)
      .and.include(`path: ${path.join(project.folder, "notes.txt")}`)
      .and.include("why it asks: ");
    expect(await project.run(["approvals", "allow", id.slice(0, 12)])).to.include({ code: 0 });
    expect([await program.ended, program.stdout]).to.deep.equal([0, "Done.\n"]);
    expect(existsSync(path.join(project.folder, "notes.txt"))).to.equal(false);
    expect((await project.run(["approvals", "list"])).stderr).to.equal("Nothing waits for an answer.\n");
    expect((await project.run(["approvals", "show", id])).stdout).to.include("approved");
    const again = await project.run(["approvals", "deny", id]);
    expect([again.code, again.stderr.includes("final answer")], again.stderr).to.deep.equal([1, true]);
  });

  it("P7: hands the reason of `pergola approvals deny` on", async () => {
    project.model.play([chatReply({ toolCalls: [deleteNotes] }), chatReply({ text: "I keep them." })]);
    await project.begin(["start", "--port", String(await freePort())]).wrote("stop with Ctrl-C");
    const program = project.begin(["run", "Delete the notes"]);
    await program.wrote("or pergola approvals deny ");
    const [, id = ""] = /pergola approvals deny (apr_\w+)/.exec(program.stderr) ?? [];
    await project.run(["approvals", "deny", id, "Keep", "them."]);
    expect([await program.ended, program.stdout]).to.deep.equal([0, "I keep them.\n"]);
    expect(JSON.stringify((await project.model.request(1)).body)).to.include("Keep them.");
  });

  it("P7: waits for an answer as long as --wait says, and goes on with a no", async () => {
    project.model.play([chatReply({ toolCalls: [deleteNotes] }), chatReply({ text: "I could not." })]);
    const { code, stdout } = await project.run(["run", "Delete the notes", "--wait", "1"]);
    expect([code, stdout]).to.deep.equal([0, "I could not.\n"]);
    expect(JSON.stringify((await project.model.request(1)).body)).to.include(
      "Nobody answered within 1 second.",
    );
    expect(existsSync(path.join(project.folder, "notes.txt"))).to.equal(true);
  });

  it("P7: makes calls of an operation that --allow names, and no others", async () => {
    project.model.play([chatReply({ toolCalls: [deleteNotes] }), chatReply({ text: "Done." })]);
    const other = await project.run(["run", "Delete the notes", "--allow", "file_operations.rename_file"]);
    expect([other.code, existsSync(path.join(project.folder, "notes.txt"))]).to.deep.equal([0, true]);
    project.model.play([chatReply({ toolCalls: [deleteNotes] }), chatReply({ text: "Done." })]);
    await project.run(["run", "Delete the notes", "--allow", "file_operations.delete_file"]);
    expect(existsSync(path.join(project.folder, "notes.txt"))).to.equal(false);
  });

  it("cancels the run at the first Ctrl-C, waits until that is stored, and ends with 130", async () => {
    project.model.play(chatReply([{ text: "I begin" }, { hang: true }]));
    const port = await freePort();
    await project.begin(["start", "--port", String(port)]).wrote("stop with Ctrl-C");
    const program = project.begin(["run", "Go"]);
    await program.wrote("I begin");
    expect(await program.end("SIGINT")).to.equal(130);
    expect(program.stderr).to.match(/cancelled: 1 iterations, 0 tool calls/);
    const { runs } = (await (await fetch(`http://127.0.0.1:${port}/api/runs`)).json()) as {
      readonly runs: readonly object[];
    };
    expect(runs[0]).to.include({ status: "ended", completion_reason: "cancelled" });
  });

  it("leaves at once at the second Ctrl-C", async () => {
    project.model.play(chatReply([{ text: "I begin" }, { hang: true }]));
    const port = await freePort();
    const service = project.begin(["start", "--port", String(port)]);
    await service.wrote("stop with Ctrl-C");
    const program = project.begin(["run", "Go"]);
    await program.wrote("I begin");
    service.child.kill("SIGSTOP");
    program.child.kill("SIGINT");
    await program.wrote("Stopping. Press Ctrl-C again to quit at once.");
    expect(await program.end("SIGINT")).to.equal(130);
    service.child.kill("SIGCONT");
  });

  it("refuses a limit that is no number", async () => {
    const { code, stderr } = await project.run(["run", "x", "--max-iterations", "many"], { bare: true });
    expect([code, stderr.includes("It must be a whole number above 0.")]).to.deep.equal([2, true]);
  });
});
