import { setTimeout } from "node:timers/promises";
import type { ResumeSessionResponse, SetSessionConfigOptionResponse } from "@agentclientprotocol/sdk";
import { expect } from "chai";
import { chatReply, type MockReply, type ScriptedCall } from "@pergola/sdk/testing";
import { sentBody } from "../support/chat.ts";
import { choosing, openEditor, type Editor } from "../support/editor.ts";
import { openProject, type Project } from "../support/pergola.ts";

const calling = (...toolCalls: readonly ScriptedCall[]) => chatReply({ toolCalls });
const saying = (...text: readonly string[]) => chatReply({ text });

describe("what the person at an editor chooses", function () {
  this.timeout(60_000);
  let project: Project;
  let editor: Editor;
  before(async () => {
    project = await openProject();
    editor = await openEditor(project.begin(["acp"]));
  });
  beforeEach(() => editor.forget());
  after(() => project.close());

  const sent = (index = -1) => sentBody({ provider: project.model }, index);
  const play = (...replies: readonly MockReply[]) => project.model.play(replies);
  const open = async () => (await editor.open(project.folder)).sessionId;
  const failure = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      ({ code }: { readonly code: number }) => ({ code }),
    );
  /** Until the model has said something. */
  const spoken = async (): Promise<void> => {
    while (editor.said("agent_message_chunk") === "") await setTimeout(10);
  };

  it("takes a model, how much it thinks, and access to the terminal", async () => {
    const sessionId = await open();
    const set = (configId: string, value: string): Promise<SetSessionConfigOptionResponse> =>
      editor.agent.request("session/set_config_option", { sessionId, configId, value });
    await set("model", "custom/test");
    await set("thought", "high");
    const { configOptions } = await set("terminal", "on");
    expect(configOptions.map(({ category, currentValue }) => [category, currentValue])).to.deep.equal([
      ["model", "custom/test"],
      ["thought_level", "high"],
      ["mode", "on"],
    ]);
    expect(await failure(set("model", "nobody/knows"))).to.include({ code: -32602 });
    const offered = async (terminal: string) => {
      await set("terminal", terminal);
      play(saying("Yes."));
      await editor.prompt(sessionId, "Can you?");
      return (sent().tools ?? []).map((tool) => tool.function.name).includes("terminal_operations");
    };
    expect([await offered("on"), await offered("off")]).to.deep.equal([true, false]);
    expect(sent()).to.include({ model: "test", reasoning_effort: "high" });
    await editor.agent.request("session/close", { sessionId });
    const goOn = { sessionId, cwd: project.folder, mcpServers: [] };
    const chosen = async (method: "session/load" | "session/resume") => {
      const opened: ResumeSessionResponse = await editor.agent.request(method, goOn);
      return opened.configOptions?.map(({ currentValue }) => currentValue);
    };
    expect(await chosen("session/load")).to.deep.equal(["custom/test", "high", "off"]);
    await set("thought", "off");
    await set("terminal", "default");
    expect(await chosen("session/resume")).to.deep.equal(["custom/test", "off", "default"]);
  });

  it("keeps what is chosen as soon as a prompt is at work, and a model without one", async () => {
    const other = await openEditor(project.begin(["acp"]));
    const sessionId = await open();
    const set = (configId: string, value: string) =>
      editor.agent.request("session/set_config_option", { sessionId, configId, value });
    /** As another editor finds it. */
    const stored = async () => {
      const goOn = { sessionId, cwd: project.folder, mcpServers: [] };
      const opened: ResumeSessionResponse = await other.agent.request("session/resume", goOn);
      return opened.configOptions?.map(({ currentValue }) => String(currentValue)).join(" ");
    };
    await set("thought", "high");
    await set("terminal", "off");
    play(chatReply([{ text: "So" }, { hang: true }]));
    const answer = editor.prompt(sessionId, "Talk");
    await spoken();
    while ((await stored()) !== "custom/test high off") await setTimeout(10);
    await editor.agent.notify("session/cancel", { sessionId });
    await answer;
    await set("model", "custom/test");
    await set("model", "default");
    expect(await stored()).to.equal("default high off");
    other.close();
  });

  it("keeps what is chosen before the first prompt for another process of the editor, and the title to come", async () => {
    const sessionId = await open();
    const goOn = { sessionId, cwd: project.folder, mcpServers: [] };
    const other = await openEditor(project.begin(["acp"]));
    const load = (): Promise<ResumeSessionResponse> => other.agent.request("session/load", goOn);
    const listed = async () =>
      (await other.agent.request("session/list", { cwd: project.folder })).sessions.map(
        (one) => one.sessionId,
      );
    expect(await failure(load())).to.deep.equal({ code: -32002 });
    await editor.agent.request("session/set_config_option", {
      sessionId,
      configId: "thought",
      value: "high",
    });
    const loaded = await load();
    expect(loaded.configOptions?.map(({ currentValue }) => currentValue)).to.deep.equal([
      "default",
      "high",
      "default",
    ]);
    expect(await listed()).not.to.include(sessionId);
    play(saying("Yes."));
    await other.prompt(sessionId, "Do you think?");
    expect(await listed()).to.include(sessionId);
    expect(sent()).to.include({ reasoning_effort: "high" });
    expect(other.told("session_info_update").at(-1)?.title).to.equal("Do you think?");
    other.close();
  });

  it("forgets what was chosen where a session is closed in which nobody has spoken", async () => {
    const other = await openEditor(project.begin(["acp"]));
    const load = (sessionId: string) =>
      failure(other.agent.request("session/load", { sessionId, cwd: project.folder, mcpServers: [] }));
    const [spoken, unspoken] = [await open(), await open()];
    for (const sessionId of [spoken, unspoken])
      await editor.agent.request("session/set_config_option", {
        sessionId,
        configId: "thought",
        value: "low",
      });
    expect([await load(spoken), await load(unspoken)]).to.deep.equal([undefined, undefined]);
    play(saying("Yes."));
    await editor.prompt(spoken, "Hello?");
    for (const sessionId of [spoken, unspoken]) await editor.agent.request("session/close", { sessionId });
    expect([await load(spoken), await load(unspoken)]).to.deep.equal([undefined, { code: -32002 }]);
    other.close();
  });

  it("asks the model's questions in a form, or as a choice where the editor has none", async () => {
    const question = { operation: "request_input", prompt: "Red or blue?", options: ["red", "blue"] };
    const asking = calling({ name: "user_collaboration", arguments: question });
    const other = await openEditor(project.begin(["acp"]), { elicitation: { form: {} } });
    const { sessionId } = await other.open(project.folder);
    other.answer = () => ({ action: "accept", content: { answer: "blue" } });
    play(asking, saying("Blue."));
    await other.prompt(sessionId, "Ask");
    expect(other.inquired[0]).to.deep.include({ mode: "form", sessionId, message: "Red or blue?" });
    expect(sent().messages.at(-1)?.content).to.include("blue");
    other.close();
    editor.decide = choosing("0");
    play(asking, saying("Red."));
    await editor.prompt(await open(), "Ask");
    expect(editor.asked[0]?.options.map(({ name }) => name)).to.deep.equal(["red", "blue", "No answer"]);
    expect(sent().messages.at(-1)?.content).to.include("red");
  });
});
