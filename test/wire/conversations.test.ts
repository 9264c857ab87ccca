import { chatReply, endpointRequest } from "@pergola/sdk/testing";
import { expect } from "chai";
import { ask, type Stage } from "../support/host.ts";
import {
  calling,
  labCall,
  openLab,
  play,
  runWith,
  saying,
  type ChatAnswer,
  type WireMessage,
} from "../support/lab-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { verifies } from "../support/verifies.ts";
import { type Detail } from "./conversations-scene.ts";

const summaryKeys =
  "id title messageCount created updated folderId topicId isPinned hidden workingDirectory".split(" ");
const detailKeys = [
  ...summaryKeys,
  "activeMessageId",
  "effective",
  ..."alias model messages settings sessionId isFromAPI workingDirectory enabledCustomInstructionIds activeRunId performanceMetrics object created_at metadata".split(
    " ",
  ),
];
const settingKeys =
  "selectedModel temperature topP maxTokens repetitionPenalty contextWindowSize selectedSystemPromptId selectedPersonalityId enableReasoning enableTools thinkingEffort useSharedData sharedTopicId sharedTopicName sharedTopicAccess toolOverrides draftMessage showAdvancedParameters scrollLockEnabled";

describe("conversations", () => {
  let stage: Stage;
  let now = Date.parse("2026-01-01T00:00:00Z");
  before(async () => {
    stage = await openLab([], { clock: { now: () => (now += 1000) } });
  });
  beforeEach(() => lab.reset());
  after(() => stage.end());

  const list = async (query = "") =>
    (await stage.host.json<{ conversations: Detail[]; count: number }>("GET", `/v1/conversations${query}`))
      .body;
  const detail = async (id: string) =>
    (await stage.host.json<Detail>("GET", `/v1/conversations/${encodeURIComponent(id)}`)).body;
  const patch = (id: string, body: object) =>
    stage.host.json<{
      success: boolean;
      title: string;
      folderId: null;
      conversation: Detail;
      error?: { code: string; param?: string };
    }>("PATCH", `/v1/conversations/${encodeURIComponent(id)}`, body);
  const say = (conversationId: string, text = "Do it") =>
    play(stage, [saying("Well.")], { conversationId }, text);

  verifies(["conversations:list", "C20"], "are listed with the newest change first", async () => {
    for (const name of ["apples", "pears", "plums"]) await say(name, `about ${name}`);
    await say("apples", "more");
    const { conversations, count } = await list();
    expect(count).to.equal(3);
    expect(conversations.map(({ title }) => title)).to.deep.equal([
      "About apples",
      "About plums",
      "About pears",
    ]);
    for (const summary of conversations) expect(summary).to.have.all.keys(summaryKeys);
    expect(conversations.map(({ messageCount }) => messageCount)).to.deep.equal([4, 2, 2]);
    const paged = await list("?limit=1&offset=1");
    expect([paged.conversations.map(({ title }) => title), paged.count]).to.deep.equal([["About plums"], 3]);
  });

  verifies("conversations:list", "are found by their title, and hidden ones left out", async () => {
    expect((await list("?q=PLUM")).conversations.map(({ title }) => title)).to.deep.equal(["About plums"]);
    expect((await list("?q=about&limit=2")).count).to.equal(3);
    await stage.host.json("POST", "/debug/mcp/execute", {
      tool: "lab",
      arguments: { operation: "peek", name: "x" },
    });
    expect((await list()).count).to.equal(3);
    const all = await list("?includeHidden=true");
    expect(all.conversations.filter(({ hidden }) => hidden).map(({ id }) => id)).to.have.lengthOf(1);
    expect((await list("?folderId=none")).count).to.equal(0);
    for (const query of ["limit=0", "limit=1001", "offset=-1", "includeHidden=maybe"])
      expect((await stage.host.json("GET", `/v1/conversations?${query}`)).status, query).to.equal(400);
  });

  verifies(
    "conversations:list",
    "are left out where they were made hidden, until a run begins in one",
    async () => {
      const before = (await list()).count;
      const made = await stage.host.json<Detail>("POST", "/v1/conversations", { id: "draft", hidden: true });
      expect([made.status, made.body.hidden]).to.deep.equal([201, true]);
      await patch("draft", { settings: { thinkingEffort: "high" } });
      expect((await list()).count).to.equal(before);
      await say("draft", "about drafts");
      expect((await list()).count).to.equal(before + 1);
      expect((await list("?q=drafts")).conversations.map(({ id }) => id)).to.deep.equal([made.body.id]);
      expect((await detail("draft")).settings).to.include({ thinkingEffort: "high" });
      await stage.host.json("DELETE", "/v1/conversations/draft");
    },
  );

  verifies("conversations:detail", "are shown with every field, and every message with its own", async () => {
    const batch = calling(labCall("peek", "a"), labCall("peek", "b", { fail: "timeout" }));
    await play(stage, [batch, chatReply([{ reasoning: "Hm." }, { text: "So." }])], {
      conversationId: "shown",
    });
    const shown = await detail("shown");
    expect(shown).to.have.all.keys(detailKeys);
    expect(shown).to.include({
      alias: "shown",
      sessionId: shown.id,
      isFromAPI: true,
      activeRunId: null,
      messageCount: 2,
    });
    expect(shown.settings).to.have.all.keys([
      ...settingKeys.split(" "),
      "personalityId",
      "system_prompt_id",
      "mini_prompt_ids",
    ]);
    expect(shown.settings).to.include({
      temperature: null,
      topP: null,
      maxTokens: null,
      selectedModel: "custom/test",
      useSharedData: false,
    });
    expect(shown["effective"]).to.have.all.keys(settingKeys.split(" "));
    expect(shown["effective"]).to.include({
      temperature: 0.7,
      topP: 1,
      maxTokens: 2000,
      selectedModel: "custom/test",
    });
    expect(shown.workingDirectory.startsWith(`${stage.host.dataDirectory}/workspaces/`)).to.equal(true);
    const always = "id parentMessageId role type isFromUser content timestamp runId".split(" ");
    for (const message of shown.messages) expect(message).to.include.all.keys(always);
    expect(shown.messages.map(({ type }) => type)).to.deep.equal([
      "user",
      "assistant",
      "toolExecution",
      "toolExecution",
      "assistant",
    ]);
    expect(shown.messages[2]).to.deep.include({
      toolName: "lab",
      toolOperation: "peek",
      toolStatus: "success",
      isToolMessage: true,
    });
    expect(shown.messages[3]).to.deep.include({ toolStatus: "error" });
    const display = (shown.messages[2] as WireMessage & { toolDisplayData: object }).toolDisplayData;
    expect(display).to.have.all.keys(
      "action actionDisplayName summary details status icon metadata".split(" "),
    );
    expect((shown.messages[4] as WireMessage & { reasoningContent: string }).reasoningContent).to.equal(
      "Hm.",
    );
    expect(shown["performanceMetrics"]).to.deep.include({ runCount: 1, iterations: 2, toolCallCount: 2 });
    const { body } = await stage.host.json<Detail>(
      "GET",
      `/v1/conversations/${shown.id.toUpperCase()}?messages=false`,
    );
    expect([body.id, body.messages]).to.deep.equal([shown.id, undefined]);
    expect((await stage.host.json("GET", "/v1/conversations/nobody")).status).to.equal(404);
  });

  verifies("conversations:detail", "show their active run, and can be made by hand", async () => {
    stage.provider.play(chatReply({ hang: true }));
    const asked = stage.host.json<ChatAnswer>(
      "POST",
      "/api/chat/completions",
      ask("Do it", { conversationId: "active" }),
    );
    const { id } = await runWith(stage.host, "active", "running");
    expect((await detail("active")).activeRunId).to.equal(id);
    await stage.host.json("DELETE", `/api/runs/${id}`);
    await asked;
    const made = await stage.host.json<Detail>("POST", "/v1/conversations", {
      id: "made",
      title: "Mine",
      settings: { temperature: 0.1 },
    });
    expect([
      made.status,
      made.body.title,
      made.body.settings["temperature"],
      made.body.messages,
    ]).to.deep.equal([201, "Mine", 0.1, []]);
    const again = await stage.host.json<{ error: { code: string } }>("POST", "/v1/conversations", {
      id: "made",
    });
    expect([again.status, again.body.error.code]).to.deep.equal([409, "id_taken"]);
    expect(
      (await stage.host.json<Detail>("POST", "/v1/conversations", { title: "Mine" })).body.title,
    ).to.equal("Mine (2)");
    for (const body of [{ topicId: "none" }, { folderId: "none" }, { systemPromptId: "none" }])
      expect((await stage.host.json("POST", "/v1/conversations", body)).status).to.equal(404);
  });

  verifies("conversations:patch", "take changes, their settings key by key", async () => {
    await say("patched");
    const { status, body } = await patch("patched", {
      title: "My title",
      isPinned: true,
      settings: { temperature: 0.2, topP: 0.5 },
    });
    expect(status).to.equal(200);
    expect(body).to.have.all.keys("success", "conversationId", "title", "folderId", "conversation");
    expect(body.conversation).to.not.have.property("messages");
    await patch("patched", { settings: { temperature: null, draftMessage: "not yet" } });
    await say("patched", "again");
    const shown = await detail("patched");
    expect(shown).to.include({ title: "My title", isPinned: true, messageCount: 4 });
    expect(shown.settings).to.include({ temperature: null, topP: 0.5, draftMessage: "not yet" });
    expect((stage.provider.requests.at(-1)?.body as { top_p: number; temperature: number }).top_p).to.equal(
      0.5,
    );
    for (const wrong of [{ title: 3 }, { title: "" }, { settings: { temperature: 3 } }, { isPinned: "yes" }])
      expect((await patch("patched", wrong)).status).to.equal(400);
    expect((await patch("patched", { workingDirectory: "relative" })).status).to.equal(400);
    expect((await patch("patched", { folderId: "none" })).status).to.equal(404);
    expect((await patch("nobody", { title: "x" })).status).to.equal(404);
    expect((await detail("patched")).title).to.equal("My title");
  });

  verifies("conversations:patch", "keep changes that come at once, and during a run", async () => {
    await say("busy");
    const changes = [{ temperature: 0.1 }, { topP: 0.2 }, { repetitionPenalty: 0.3 }];
    const { conversations } = stage.host.services;
    await Promise.all(
      changes.map((settings) => conversations.update("busy", { settings }, endpointRequest().caller)),
    );
    expect((await detail("busy")).settings).to.include({
      temperature: 0.1,
      topP: 0.2,
      repetitionPenalty: 0.3,
    });
    stage.provider.play([calling(labCall("peek", "held", { gate: true })), saying("Done.")]);
    const asked = stage.host.json("POST", "/api/chat/completions", ask("Go", { conversationId: "busy" }));
    await Promise.all([patch("busy", { settings: { draftMessage: "one" } }), lab.until("start held")]);
    await Promise.all([patch("busy", { title: "Renamed" }), patch("busy", { settings: { maxTokens: 7 } })]);
    lab.open("held");
    await asked;
    const shown = await detail("busy");
    expect(shown).to.include({ title: "Renamed", messageCount: 4 });
    expect(shown.settings).to.include({ draftMessage: "one", maxTokens: 7, temperature: 0.1 });
    expect(shown.messages).to.have.lengthOf(6);
  });
});
