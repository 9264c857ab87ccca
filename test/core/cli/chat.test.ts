import { readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import { chatReply, jsonReply, mockProviderServer } from "@pergola/sdk/testing";
import { needsSandbox } from "../../boundary/support/program-stage.ts";
import { approvePlugins } from "../../support/approve-plugins.ts";
import { freePort, openProject, type Project } from "../../support/pergola.ts";
import { writePlugin } from "../../support/plugins/write-plugin.ts";

interface Sent {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

describe("pergola chat with a pipe", function () {
  this.timeout(30_000);
  let project: Project;
  beforeEach(async () => {
    project = await openProject();
  });
  afterEach(() => project.close());
  const sentAt = async (index: number): Promise<Sent> => (await project.model.request(index)).body as Sent;

  for (const mode of ["build", "source"] as const)
    it(`answers each line, in one conversation, and ends with 0 (${mode})`, async () => {
      project.model.play([chatReply({ text: "First answer." }), chatReply({ text: "Second answer." })]);
      const { code, stdout, stderr } = await project.run(["chat"], { mode, input: "one\n\ntwo\n" });
      expect([code, stdout, stderr]).to.deep.equal([0, "First answer.\nSecond answer.\n", ""]);
      const { messages } = await sentAt(1);
      expect(messages.map(({ role }) => role).slice(-3)).to.deep.equal(["user", "assistant", "user"]);
    });

  it("shows the steps beside the answer, and works in the folder it was started in", async () => {
    await writeFile(path.join(project.folder, "notes.txt"), "milk");
    const call = { name: "file_operations", arguments: { operation: "read_file", filePath: "notes.txt" } };
    project.model.play([chatReply({ toolCalls: [call] }), chatReply({ text: "It says milk." })]);
    const { stdout, stderr } = await project.run(["chat"], { input: "What do the notes say?\n" });
    expect(stdout).to.equal("It says milk.\n");
    expect(stderr).to.match(/✓ file_operations\.read_file .*\d+ ms/);
    expect((await sentAt(1)).messages.at(-1)?.content).to.include("milk");
  });

  it("goes on with a conversation by its name", async () => {
    project.model.play([chatReply({ text: "One." }), chatReply({ text: "Two." })]);
    await project.run(["chat", "--conversation", "diary"], { input: "first\n" });
    await project.run(["chat", "--conversation", "diary"], { input: "second\n" });
    const said = (await sentAt(1)).messages.map(({ content }) => content).join("\n");
    expect(said).to.include("first").and.include("One.");
  });

  it("shows a failure, goes on, and ends with 1", async () => {
    project.model.play([
      chatReply({ error: { status: 400, message: "no such thing" } }),
      chatReply({ text: "Better." }),
    ]);
    const { code, stdout, stderr } = await project.run(["chat"], { input: "one\ntwo\n" });
    expect([code, stdout]).to.deep.equal([1, "Better.\n"]);
    expect(stderr).to.include("no such thing");
  });

  it("cancels the run at Ctrl-C, and ends with 130", async () => {
    project.model.play(chatReply([{ text: "I begin" }, { hang: true }]));
    const program = project.begin(["chat"], { input: "one\ntwo\n" });
    await program.wrote("I begin");
    expect(await program.end("SIGINT")).to.equal(130);
    expect(project.model.requests).to.have.length(1);
    expect(await (await project.model.request(0)).outcome).to.equal("aborted");
  });

  it("writes every chunk as a line with --json", async () => {
    const { stdout } = await project.run(["chat", "--json"], { input: "one\n" });
    const chunks = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(chunks[0]).to.have.property("run_id");
    expect(chunks.at(-1)).to.have.nested.property(
      "service_metadata.workflow.completion_reason",
      "workflow_complete",
    );
  });

  it("talks to the service that works on the same data, whatever its port", async () => {
    const service = project.begin(["start", "--port", String(await freePort())]);
    await service.wrote("stop with Ctrl-C");
    const { code, stdout } = await project.run(["chat"], { input: "one\n" });
    expect([code, stdout]).to.deep.equal([0, "Hello.\n"]);
    expect(await service.end()).to.equal(0);
  });

  it("finds another service, or starts one, when the first has gone", async () => {
    const service = project.begin(["start", "--port", String(await freePort())]);
    await service.wrote("stop with Ctrl-C");
    const program = project.begin(["chat"]);
    program.child.stdin?.write("one\n");
    await program.wrote("Hello.");
    await service.end();
    project.model.play(chatReply({ text: "Still here." }));
    program.child.stdin?.end("two\n");
    expect([await program.ended, program.stdout]).to.deep.equal([0, "Hello.\nStill here.\n"]);
  });

  it("says what to do when the service is killed in the middle of an answer", async () => {
    const service = project.begin(["start", "--port", String(await freePort())]);
    await service.wrote("stop with Ctrl-C");
    project.model.play(chatReply([{ text: "I begin\n" }, { hang: true }]));
    const program = project.begin(["chat"], { input: "one\n" });
    await program.wrote("I begin");
    await service.end("SIGKILL");
    expect(await program.ended).to.equal(3);
    expect(program.stderr).to.match(
      /^The service broke off in the middle of the answer\. `pergola runs show run_\w+` says how its run stands\.$/m,
    );
  });

  it("starts one when the note is of a service that was killed", async () => {
    const service = project.begin(["start", "--port", String(await freePort())]);
    await service.wrote("stop with Ctrl-C");
    await service.end("SIGKILL");
    expect(await project.run(["chat"], { input: "one\n" })).to.include({ code: 0, stdout: "Hello.\n" });
  });

  it("says in one line what is wrong with a plugin, and with the settings of a folder that is not trusted", async function () {
    needsSandbox.call(this);
    const broken = writePlugin(project.folder, { id: "tool-broken", code: `throw new Error("no luck");` });
    project.settings({ plugins: ["@pergola/bundle-standard", broken] });
    await approvePlugins(project.data, broken);
    const { stdout, stderr } = await project.run(["chat"], { input: "one\n" });
    expect(stdout).to.equal("Hello.\n");
    expect(stderr).to.match(/^Left out: tool-broken, import: no luck\. [^\n]+\n$/);
    await writeFile(path.join(project.folder, "pergola.config.json"), JSON.stringify({ plugins: [] }));
    const untrusted = await project.run(["tools", "list", "--data", project.data], { bare: true });
    expect(untrusted.stderr)
      .to.include("pergola trust")
      .and.have.lengthOf(untrusted.stderr.indexOf("\n") + 1);
  });

  it("S16: shows control characters of a provider's error as signs", async () => {
    const message = "no\u001b]0;owned\u0007 luck \u202eevil";
    project.model.play(jsonReply({ error: { message } }, { status: 400 }));
    const { stdout, stderr } = await project.run(["chat"], { input: "one\n" });
    expect(stderr).to.include("luck");
    for (const sign of ["\u001b", "\u0007", "\u202e"]) expect(stdout + stderr).to.not.include(sign);
  });

  it("says in one line that nothing answers at an address, and ends with 3", async () => {
    const { code, stderr } = await project.run(["chat", "--url", `http://127.0.0.1:${await freePort()}`], {
      bare: true,
      input: "one\n",
    });
    expect(code).to.equal(3);
    expect(stderr).to.match(
      /^The service at http:\S+ cannot be reached: nothing listens there \(ECONNREFUSED\)\. `pergola start` starts one\.\n$/,
    );
    expect(readdirSync(project.folder)).to.deep.equal([]);
  });

  it("shows what could move the cursor as signs", async () => {
    const call = { name: "think", arguments: { thoughts: "a\u001b[2Jb\u202ec" } };
    const chunk = (fields: object) => ({
      choices: [{ index: 0, delta: { content: "" }, finish_reason: null }],
      ...fields,
    });
    const card = {
      isToolMessage: true,
      toolName: "think",
      toolOperation: "think",
      toolStatus: "running",
      toolDetails: [call.arguments.thoughts],
    };
    const frames = [
      chunk(card),
      chunk({ choices: [{ index: 0, delta: { content: "\u001b]0;x\u0007 👩‍🚀\n" } }] }),
    ];
    const service = await mockProviderServer({
      body: [...frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`), "data: [DONE]\n\n"],
    });
    const { stdout, stderr } = await project.run(["chat", "--url", service.url], {
      bare: true,
      input: "one\n",
    });
    await service.close();
    expect(stdout).to.equal("␛]0;x␇ 👩‍🚀\n");
    expect(stderr).to.equal("… think.think a␛[2Jb\\u{202e}c\n");
  });
});
