import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { chatReply, temporaryFolder, type ScriptedCall } from "@pergola/sdk/testing";
import { root } from "../architecture/tree.ts";
import { sentBody } from "../support/chat.ts";
import { deleting, writing } from "../support/changes-scene.ts";
import { choosing, openEditor, type Editor } from "../support/editor.ts";
import { openProject, type Program, type Project } from "../support/pergola.ts";

const calling = (...toolCalls: readonly ScriptedCall[]) => chatReply({ toolCalls });
const saying = (...text: readonly string[]) => chatReply({ text });
const sampleServer = path.join(root, "plugins", "bridge-mcp-client", "test", "servers", "sample-server.mjs");

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
  beforeEach(() => {
    editor.updates.length = 0;
    editor.asked.length = 0;
    editor.decide = choosing("once");
  });
  after(async () => {
    editor.close();
    await project.close();
  });

  it("streams an answer with thoughts and a tool call", async () => {
    project.model.play([
      chatReply([
        { reasoning: ["Hm, ", "well."] },
        { toolCalls: [{ name: "file_operations", arguments: { operation: "list_dir", path: "." } }] },
      ]),
      chatReply([{ text: ["All ", "done."] }, { usage: { promptTokens: 20, completionTokens: 4 } }]),
    ]);
    const { sessionId } = await editor.open(project.folder);
    const { stopReason } = await editor.prompt(sessionId, [
      { type: "text", text: "Look at " },
      { type: "resource_link", name: "a.txt", uri: "file:///a.txt" },
    ]);
    expect(stopReason).to.equal("end_turn");
    expect(editor.said("agent_message_chunk")).to.equal("All done.");
    expect(editor.said("agent_thought_chunk")).to.equal("Hm, well.");
    const { model } = project;
    expect(JSON.stringify(sentBody({ provider: model }, 0).messages)).to.include(
      "Look at [a.txt](file:///a.txt)",
    );
    expect(editor.told("tool_call")).to.have.lengthOf(1);
    expect(editor.told("tool_call_update").at(-1)).to.include({ status: "completed", kind: "read" });
    console.error(JSON.stringify(editor.updates));
  });

  it("asks for permission, with the lines that a call would change", async () => {
    const outside = temporaryFolder();
    const file = path.join(outside, "notes.txt");
    writeFileSync(file, "one\ntwo\nthree\n");
    const { sessionId } = await editor.open(project.folder);
    project.model.play([calling(writing(file, "one\n2\nthree\n")), saying("Written.")]);
    await editor.prompt(sessionId, "Write it");
    console.error(JSON.stringify(editor.asked));
    console.error(JSON.stringify(editor.updates));
    expect(readFileSync(file, "utf8")).to.equal("one\n2\nthree\n");
    project.model.play([calling(deleting(file)), saying("Not deleted.")]);
    editor.decide = choosing("no");
    editor.updates.length = 0;
    await editor.prompt(sessionId, "Delete it");
    console.error(JSON.stringify(editor.asked.at(-1)));
    console.error(JSON.stringify(editor.updates));
    editor.decide = choosing("conversation");
    project.model.play([calling(writing(file, "a\n")), calling(writing(file, "b\n")), saying("Written.")]);
    editor.asked.length = 0;
    await editor.prompt(sessionId, "Write twice");
    expect(editor.asked).to.have.lengthOf(1);
    expect(readFileSync(file, "utf8")).to.equal("b\n");
  });

  it("cancels while a permission is open", async () => {
    const file = path.join(temporaryFolder(), "notes.txt");
    const { sessionId } = await editor.open(project.folder);
    project.model.play([calling(writing(file, "x"))]);
    editor.decide = () => {
      void editor.agent.notify("session/cancel", { sessionId });
      return new Promise(() => undefined);
    };
    expect(await editor.prompt(sessionId, "Write it")).to.deep.equal({ stopReason: "cancelled" });
    console.error(JSON.stringify(editor.updates));
    project.model.play([calling(writing(file, "x"))]);
    editor.decide = async () => ({ outcome: { outcome: "cancelled" } });
    expect(await editor.prompt(sessionId, "Write it")).to.deep.equal({ stopReason: "cancelled" });
    project.model.play([chatReply([{ text: "So" }, { hang: true }])]);
    const answer = editor.prompt(sessionId, "Talk");
    while (editor.said("agent_message_chunk") === "") await new Promise((resolve) => setTimeout(resolve, 10));
    await editor.agent.notify("session/cancel", { sessionId });
    expect(await answer).to.deep.equal({ stopReason: "cancelled" });
  });

  it("tells the plan", async () => {
    const { sessionId } = await editor.open(project.folder);
    const todoList = [
      { id: 1, title: "Dig", status: "completed", priority: "high" },
      { id: 2, title: "Plant", status: "in-progress", priority: "low" },
    ];
    project.model.play([
      calling({ name: "todo_operations", arguments: { operation: "write", todoList } }),
      saying("Planned."),
      saying("Planned."),
      saying("Planned."),
      saying("Planned."),
    ]);
    await editor.prompt(sessionId, "Plan it");
    console.error(JSON.stringify(editor.updates));
    expect(editor.told("plan")).to.deep.equal([
      {
        sessionUpdate: "plan",
        entries: [
          { content: "Dig", status: "completed", priority: "high" },
          { content: "Plant", status: "in_progress", priority: "low" },
        ],
      },
    ]);
  });

  it("calls the tools of the editor's MCP servers, each after a yes", async () => {
    const mcpServers = [{ name: "sample", command: process.execPath, args: [sampleServer], env: [] }];
    const { sessionId } = await editor.open(project.folder, { mcpServers });
    project.model.play([calling({ name: "sample_add-numbers", arguments: { a: 2, b: 3 } }), saying("Five.")]);
    expect((await editor.prompt(sessionId, "Add")).stopReason).to.equal("end_turn");
    console.error(JSON.stringify(editor.updates));
    console.error(JSON.stringify(editor.asked));
    console.error(JSON.stringify(sentBody({ provider: project.model }).messages.slice(-2)));
    expect(editor.said("agent_message_chunk")).to.equal("Five.");
    project.model.play([calling({ name: "sample_add-numbers", arguments: { a: 2, b: 3 } }), saying("Ok.")]);
    editor.decide = choosing("no");
    expect((await editor.prompt(sessionId, "Add")).stopReason).to.equal("end_turn");
    console.error(JSON.stringify(sentBody({ provider: project.model }).messages.slice(-2)));
  });

  it("loads with all that was said, resumes without, and lists", async () => {
    const cwd = path.join(project.folder, "garden");
    mkdirSync(cwd);
    const { sessionId } = await editor.open(cwd);
    project.model.play([
      chatReply([
        { reasoning: "Hm." },
        { text: "I look." },
        { toolCalls: [{ name: "file_operations", arguments: { operation: "list_dir", path: "." } }] },
      ]),
      saying("Empty."),
    ]);
    await editor.prompt(sessionId, "Look around");
    await editor.agent.request("session/close", { sessionId });
    editor.updates.length = 0;
    await editor.agent.request("session/load", { sessionId, cwd, mcpServers: [] });
    console.error(JSON.stringify(editor.updates));
    expect(editor.said("user_message_chunk")).to.equal("Look around");
    expect(editor.said("agent_thought_chunk")).to.equal("Hm.");
    editor.updates.length = 0;
    const resumed = await editor.agent.request("session/resume", { sessionId, cwd, mcpServers: [] });
    console.error(JSON.stringify(resumed));
    expect(editor.updates).to.deep.equal([]);
    const { sessions } = await editor.agent.request("session/list", { cwd });
    console.error(JSON.stringify(sessions));
    expect(sessions.map((one) => one.sessionId)).to.deep.equal([sessionId]);
    await editor.agent.request("session/delete", { sessionId });
    expect((await editor.agent.request("session/list", { cwd })).sessions).to.deep.equal([]);
    const gone = await editor.agent
      .request("session/load", { sessionId, cwd, mcpServers: [] })
      .catch((error: unknown) => error);
    console.error(gone);
  });

  it("takes a model, how much it thinks, and access to the terminal", async () => {
    const { sessionId } = await editor.open(project.folder);
    const set = (configId: string, value: string) =>
      editor.agent.request("session/set_config_option", { sessionId, configId, value });
    await set("model", "custom/test");
    await set("thought", "high");
    const { configOptions } = await set("terminal", "on");
    console.error(configOptions.map(({ id, currentValue }) => `${id} ${currentValue}`));
    const wrong = await set("model", "nobody/knows").catch((error: unknown) => error);
    console.error(wrong);
    project.model.play([saying("Yes.")]);
    await editor.prompt(sessionId, "Can you?");
    const { tools = [], ...body } = sentBody({ provider: project.model });
    console.error(
      Object.keys(body),
      body["reasoning_effort"],
      tools.map((tool) => tool.function.name).join(),
    );
  });

  it("says that a conversation is busy", async () => {
    const { sessionId } = await editor.open(project.folder);
    project.model.play([chatReply([{ text: "So" }, { hang: true }])]);
    const answer = editor.prompt(sessionId, "Talk");
    while (editor.said("agent_message_chunk") === "") await new Promise((resolve) => setTimeout(resolve, 10));
    const busy = await editor.prompt(sessionId, "Talk more").catch((error: unknown) => error);
    console.error(busy);
    await editor.agent.notify("session/cancel", { sessionId });
    console.error(await answer);
    console.error(program.stderr);
    for (const line of program.stdout.trim().split("\n")) JSON.parse(line);
  });
});
