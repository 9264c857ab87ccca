import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import type { ResumeSessionResponse } from "@agentclientprotocol/sdk";
import { expect } from "chai";
import {
  chatReply,
  jsonReply,
  temporaryFolder,
  type MockReply,
  type ScriptedCall,
} from "@pergola/sdk/testing";
import { sentBody } from "../support/chat.ts";
import { deleting, writing } from "../support/changes-scene.ts";
import { choosing, openEditor, type Editor } from "../support/editor.ts";
import { openProject, type Program, type Project } from "../support/pergola.ts";

const calling = (...toolCalls: readonly ScriptedCall[]) => chatReply({ toolCalls });
const saying = (...text: readonly string[]) => chatReply({ text });
const listing = { name: "file_operations", arguments: { operation: "list_dir", path: "." } };

/** What docs/editors.md tells; the last test is of all that was said before. */
describe("pergola acp, with the protocol's own client", function () {
  this.timeout(60_000);
  let project: Project;
  let program: Program;
  let editor: Editor;
  before(async () => {
    project = await openProject();
    project.settings({ "runs.queue_seconds": 0 });
    program = project.begin(["acp"]);
    editor = await openEditor(program);
  });
  beforeEach(() => editor.forget());
  after(() => project.close());

  const sent = (index = -1) => sentBody({ provider: project.model }, index);
  const play = (...replies: readonly MockReply[]) => project.model.play(replies);
  const open = async (more = {}) => (await editor.open(project.folder, more)).sessionId;
  const failure = async (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      ({ code, message, data }: { code: number; message: string; data?: unknown }) => ({
        code,
        message,
        data,
      }),
    );
  /** Until the model has said something. */
  const spoken = async (): Promise<void> => {
    while (editor.said("agent_message_chunk") === "") await setTimeout(10);
  };

  it("streams an answer with thoughts and a tool call, then tells the title and the usage", async () => {
    const first = chatReply([{ reasoning: ["Hm, ", "well."] }, { toolCalls: [listing] }]);
    play(first, saying("All ", "done."));
    const { stopReason } = await editor.prompt(await open(), [
      { type: "text", text: "Look at " },
      { type: "resource_link", name: "a.txt", uri: "file:///a.txt" },
    ]);
    expect(stopReason).to.equal("end_turn");
    expect(JSON.stringify(sent(0).messages)).to.include("Look at [a.txt](file:///a.txt)");
    expect(sent(0)).not.to.have.property("reasoning_effort");
    expect(editor.said("agent_message_chunk")).to.equal("All done.");
    expect(editor.said("agent_thought_chunk")).to.equal("Hm, well.");
    const [call, end] = [editor.told("tool_call"), editor.told("tool_call_update").at(-1)];
    expect(call).to.have.lengthOf(1);
    expect(call[0]).to.include({ title: "List folder: .", kind: "read", status: "in_progress" });
    expect(end).to.include({ toolCallId: call[0]?.toolCallId, status: "completed" });
    expect(editor.told("session_info_update")[0]?.title).to.equal("Look at a.txt");
    expect(editor.told("usage_update")[0]).to.include({ size: 32_768 });
  });

  it("asks before a call, with the lines that it would change, and takes each of the answers", async () => {
    const file = path.join(temporaryFolder(), "notes.txt");
    writeFileSync(file, "one\ntwo\n");
    const sessionId = await open();
    play(calling(writing(file, "one\n2\n")), saying("Written."));
    await editor.prompt(sessionId, "Write");
    const content = [{ type: "diff", path: file, oldText: "one\ntwo\n", newText: "one\n2\n" }];
    expect(editor.asked[0]?.toolCall).to.deep.include({
      kind: "edit",
      rawInput: { filePath: file, content: "one\n2\n" },
      locations: [{ path: file }],
      content,
    });
    expect(editor.asked[0]?.options.map(({ kind }) => kind)).to.deep.equal([
      "allow_once",
      "allow_always",
      "reject_once",
    ]);
    expect(editor.told("tool_call_update").at(-1)).to.deep.include({ content });
    expect(readFileSync(file, "utf8")).to.equal("one\n2\n");

    editor.forget();
    editor.decide = choosing("no");
    play(calling(deleting(file)), saying("Not deleted."));
    await editor.prompt(sessionId, "Delete");
    expect(editor.told("tool_call_update").at(-1)).to.include({ status: "failed", kind: "delete" });
    expect(readFileSync(file, "utf8")).to.equal("one\n2\n");

    editor.forget();
    editor.decide = choosing("conversation");
    play(calling(writing(file, "a\n")), calling(writing(file, "b\n")), saying("Written."));
    await editor.prompt(sessionId, "Write twice");
    expect(editor.asked).to.have.lengthOf(1);
    expect(readFileSync(file, "utf8")).to.equal("b\n");
  });

  it("ends as cancelled, in an answer and while a permission is open", async () => {
    const sessionId = await open();
    const cancelled = { stopReason: "cancelled" };
    play(calling(deleting("/tmp/none")));
    editor.decide = async () => {
      await editor.agent.notify("session/cancel", { sessionId });
      return new Promise(() => undefined);
    };
    expect(await editor.prompt(sessionId, "Delete")).to.deep.equal(cancelled);
    play(calling(deleting("/tmp/none")));
    editor.decide = async () => ({ outcome: { outcome: "cancelled" } });
    expect(await editor.prompt(sessionId, "Delete")).to.deep.equal(cancelled);
    play(chatReply([{ text: "So" }, { hang: true }]));
    const answer = editor.prompt(sessionId, "Talk");
    await spoken();
    const busy = await failure(editor.prompt(sessionId, "Talk more"));
    expect(busy).to.deep.include({ code: -32603, data: { code: "conversation_busy" } });
    expect(busy?.message).to.match(/^Another run is active in this conversation/);
    await editor.agent.notify("session/cancel", { sessionId });
    expect(await answer).to.deep.equal(cancelled);
  });

  it("says below the answer what the person should know, such as that a folder is not trusted", async () => {
    const folder = path.join(project.folder, "strange");
    mkdirSync(folder);
    writeFileSync(path.join(folder, "AGENTS.md"), "Use tabs.");
    play(saying("Hello."));
    await editor.prompt((await editor.open(folder)).sessionId, "Hello");
    expect(editor.said("agent_message_chunk")).to.match(/^Hello\.\n\n> .*AGENTS\.md.*pergola trust/);
    const other = await openEditor(project.begin(["acp"]), { session: { notices: {} } });
    play(saying("Hello."));
    await other.prompt((await other.open(folder)).sessionId, "Hello");
    expect(other.said("agent_message_chunk")).to.equal("Hello.");
    expect(other.told("notice")[0]?.severity).to.equal("warning");
    expect(other.told("notice")[0]?.title).to.match(/AGENTS\.md.*pergola trust/);
    other.close();
  });

  it("refuses a folder that is not there, and makes none", async () => {
    const folder = path.join(project.folder, "nowhere");
    const refusal = await editor.open(folder).catch((error: Error) => error.message);
    expect(refusal).to.include(`There is no folder ${folder}`);
    expect(existsSync(folder)).to.equal(false);
  });

  it("says why an answer ended, and what went wrong without saying it twice", async () => {
    const sessionId = await open();
    play(chatReply([{ text: "So" }, { type: "end", reason: "length" }]));
    expect((await editor.prompt(sessionId, "Talk")).stopReason).to.equal("max_tokens");
    editor.forget();
    play(chatReply([{ text: "So" }, { error: { status: 400, message: "no" } }]));
    expect(await failure(editor.prompt(sessionId, "Talk"))).to.include({ code: -32603 });
    expect(editor.said("agent_message_chunk")).to.equal("So");
  });

  it("tells the to-dos as the plan", async () => {
    const todoList = [
      { id: 1, title: "Dig", status: "completed", priority: "high" },
      { id: 2, title: "Plant", status: "blocked", blockedReason: "Rain" },
    ];
    play(
      calling({ name: "todo_operations", arguments: { operation: "write", todoList } }),
      saying("Planned."),
    );
    await editor.prompt(await open(), "Plan");
    expect(editor.told("plan").map(({ entries }) => entries)).to.deep.equal([
      [
        { content: "Dig", status: "completed", priority: "high" },
        { content: "Plant", status: "pending", priority: "medium" },
      ],
    ]);
  });

  it("loads with all that was said, resumes without, lists by folder, and deletes", async () => {
    const cwd = path.join(project.folder, "garden");
    mkdirSync(cwd);
    const { sessionId } = await editor.open(cwd);
    const goOn = { sessionId, cwd, mcpServers: [] };
    play(
      chatReply([{ reasoning: "Hm." }, { text: "I look." }, { toolCalls: [listing] }]),
      saying("Nothing here."),
    );
    await editor.prompt(sessionId, "Look around");
    await editor.agent.request("session/close", { sessionId });
    expect(await failure(editor.prompt(sessionId, "And?"))).to.include({ code: -32002 });
    editor.forget();
    await editor.agent.request("session/load", goOn);
    const kinds = ["user_message", "agent_thought", "agent_message"] as const;
    expect(kinds.map((kind) => editor.said(`${kind}_chunk`))).to.deep.equal([
      "Look around",
      "Hm.",
      "I look.Nothing here.",
    ]);
    expect(editor.told("tool_call")[0]).to.include({ title: "List folder: .", status: "completed" });
    editor.forget();
    const resumed: ResumeSessionResponse = await editor.agent.request("session/resume", goOn);
    expect(resumed.configOptions?.[0]).to.include({ id: "model", currentValue: "custom/test" });
    expect(editor.updates).to.deep.equal([]);
    const listed = async (folder: string) =>
      (await editor.agent.request("session/list", { cwd: folder })).sessions;
    expect((await listed(cwd)).map(({ updatedAt, ...one }) => one)).to.deep.equal([
      { sessionId, cwd, title: "Look around" },
    ]);
    await editor.agent.request("session/delete", { sessionId });
    expect(await listed(cwd)).to.deep.equal([]);
    expect(await listed(project.folder)).not.to.deep.equal([]);
    expect(await failure(editor.agent.request("session/load", goOn))).to.include({ code: -32002 });
  });

  it("offers its setup to an editor with a terminal, also where a provider refuses the key", async () => {
    const other = await openEditor(project.begin(["acp"]), { auth: { terminal: true } });
    expect(other.greeting.authMethods?.map(({ description, ...method }) => method)).to.deep.equal([
      { type: "terminal", id: "setup", name: "Choose a model", args: ["--setup"] },
    ]);
    expect(editor.greeting.authMethods).to.deep.equal([]);
    const refused = async ({ open: begin, prompt }: Editor) => {
      play(jsonReply({ error: { message: "No such key" } }, { status: 401 }));
      const { sessionId } = await begin(project.folder);
      return failure(prompt(sessionId, "Hello"));
    };
    const data = { code: "provider_auth_failed" };
    expect(await refused(other)).to.deep.include({ code: -32000, data });
    expect(await refused(editor)).to.deep.include({ code: -32603, data });
    other.close();
  });

  it("has written nothing but messages, and ends with its input, and so does a run", async () => {
    for (const line of program.stdout.trim().split("\n"))
      expect(JSON.parse(line)).to.include({ jsonrpc: "2.0" });
    expect(program.stderr).to.equal("");
    play(chatReply([{ text: "So" }, { hang: true }]));
    const left = failure(editor.prompt(await open(), "Talk"));
    await spoken();
    program.child.stdin?.end();
    expect(await program.ended).to.equal(0);
    expect(await left).not.to.equal(undefined);
    const listed = await project.run(["runs", "list", "--json"]);
    const [last] = (JSON.parse(listed.stdout) as { runs: { completion_reason: string }[] }).runs;
    expect(last?.completion_reason).to.equal("cancelled");
    project.settings({ disabled: ["bridge-acp"] });
    const { code, stderr } = await project.run(["acp"]);
    expect([code, stderr]).to.deep.equal([2, "The plugin bridge-acp is off. Take it out of disabled.\n"]);
  });
});
