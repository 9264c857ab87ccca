import { expect } from "chai";
import type { Conversation, Message } from "@pergola/sdk";
import { chatReply, temporaryFolder } from "@pergola/sdk/testing";
import { openChosen } from "../support/chosen-storage.ts";
import { assistant, chat, detailOf, user, type WireMessage } from "../support/chat.ts";
import type { Stage } from "../support/host.ts";
import { calling, labCall, openLab, saying } from "../support/lab-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { recordingLog } from "../support/recording-log.ts";

const id = "44444444-0000-4000-8000-000000000001";
const settings = { storage: { type: "sqlite" } };

describe("branches in a store on disk (H1, H3)", () => {
  let stage: Stage;
  let dataDirectory: string;
  const open = async () => (stage = await openLab([], { settings, dataDirectory }));
  beforeEach(async () => {
    lab.reset();
    dataDirectory = temporaryFolder();
    await open();
  });
  afterEach(() => stage.end());

  const say = async (messages: readonly WireMessage[], text: string, more: object = {}) => {
    stage.provider.play([chatReply({ text })]);
    const { status, body } = await chat(stage, { messages, conversationId: id, ...more });
    expect(status, JSON.stringify(body)).to.equal(200);
  };
  const contents = async () => (await detailOf(stage.host, id)).messages.map(({ content }) => content);
  const idOf = async (content: string) =>
    (await detailOf(stage.host, id)).messages.find((message) => message.content === content)?.["id"];

  /** Rewrites the conversation as it was stored before there were branches: others had replaced "Two?". */
  const flatten = async () => {
    const storage = await openChosen({ dataDirectory, log: recordingLog() });
    const [messages, conversations] = [
      storage.collection<Message>("messages", { indexes: [["conversationId", "seq"]] }),
      storage.collection<Conversation>("conversations", { indexes: [] }),
    ];
    const found = await messages.find({ conversationId: id }, { order: "seq" });
    for (const { version: _, parentMessageId: _parent, branch: _branch, ...message } of found) {
      const isReplaced = message.content?.startsWith("Two") === true;
      const runId = message.role === "user" ? null : message.runId;
      await messages.put({ ...message, runId, ...(isReplaced && { superseded: true, visible: false }) });
    }
    const conversation = await conversations.get(id);
    if (conversation === undefined) throw new Error("the conversation is not stored");
    const { version: _, branches: _b, activeBranch: _a, activeMessageId: _m, ...flat } = conversation;
    await conversations.put(flat);
    await storage.close();
  };

  it("H3: reads what was stored before there were branches, and shows again what was replaced", async () => {
    await say([user("One?")], "One.");
    await say([user("Two?")], "Two.");
    await say([user("One?"), assistant("One."), user("Three?")], "Three.");
    await stage.end();
    await flatten();
    await open();
    expect(await contents()).to.deep.equal(["One?", "One.", "Three?", "Three."]);
    const branches = await stage.host.services.conversations.branches(id);
    expect(branches.map(({ messageCount, isActive }) => [messageCount, isActive])).to.deep.equal([
      [4, true],
      [4, false],
    ]);
    const activeMessageId = branches[1]?.tipMessageId;
    await stage.host.json("PATCH", `/v1/conversations/${id}`, { activeMessageId });
    expect(await contents()).to.deep.equal(["One?", "One.", "Two?", "Two."]);
    const sent = ["One?", "One.", "Two?", "Two.", "Four?"].map((text, index) =>
      index % 2 === 0 ? user(text) : assistant(text),
    );
    await say(sent, "Four.");
    expect(await contents()).to.deep.equal(["One?", "One.", "Two?", "Two.", "Four?", "Four."]);
    const { body: all } = await stage.host.json<{ messages: readonly object[] }>(
      "GET",
      `/v1/conversations/${id}?view=all`,
    );
    expect(all.messages).to.have.lengthOf(8);
  });

  it("H1: goes on in its branch when a run is resumed after a restart", async () => {
    await say([user("One?")], "One.");
    await say([user("Two?")], "Two.");
    stage.provider.play([calling(labCall("peek", "cut", { gate: true }))]);
    const body = {
      model: "default",
      messages: [user("Else?")],
      conversationId: id,
      parentMessageId: await idOf("One."),
      background: true,
    };
    void stage.host.request("POST", "/api/chat/completions", body).catch(() => undefined);
    await lab.until("start cut");
    await stage.host.restart();
    const { body: listed } = await stage.host.json<{ runs: readonly { id: string }[] }>(
      "GET",
      `/api/runs?conversationId=${id}`,
    );
    lab.open("cut");
    stage.provider.play([saying("Else.")]);
    await stage.host.json("POST", `/api/runs/${listed.runs[0]?.id}/resume`);
    while ((await stage.host.services.runs.get(listed.runs[0]?.id ?? "")).status !== "ended")
      await new Promise((resolve) => setImmediate(resolve));
    const { body: turns } = await stage.host.json<{ messages: readonly WireMessage[] }>(
      "GET",
      `/v1/conversations/${id}?view=turns`,
    );
    expect(turns.messages.map(({ content }) => content)).to.deep.equal(["One?", "One.", "Else?", "Else."]);
    expect(await stage.host.services.conversations.branches(id)).to.have.lengthOf(2);
  });
});
