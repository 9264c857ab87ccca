import { expect } from "chai";
import { chatReply } from "@pergola/sdk/testing";
import { assistant, chat, detailOf, sentBody, user, type Detail } from "../support/chat.ts";
import { openStage, type Stage } from "../support/host.ts";

const id = "11111111-0000-4000-8000-000000000001";

/** Settings of a conversation that nobody set. */
const unset = [
  "temperature",
  "topP",
  "maxTokens",
  "repetitionPenalty",
  "contextWindowSize",
  "enableReasoning",
  "thinkingEffort",
  "selectedModel",
  "selectedSystemPromptId",
  "selectedPersonalityId",
] as const;

describe("what a conversation is held with", () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage();
  });
  afterEach(() => stage.end());
  const path = `/v1/conversations/${id}`;
  const detail = () => detailOf(stage.host, id);
  const say = async (more: object = {}) => {
    stage.provider.play([chatReply({ text: "Ok." })]);
    const answer = await chat(stage, { messages: [user("Hi")], conversationId: id, ...more });
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    return answer.body.service_metadata;
  };
  const make = async (route: string, body: object) =>
    (await stage.host.json<{ id: string }>("POST", `/api/${route}`, body)).body.id;

  it("H5: is remembered: model, prompts, personality and sampling, and goes on in the next request", async () => {
    const prompt = await make("prompts/system", { name: "Pirate", content: "PIRATE-TEXT" });
    const personality = await make("personalities", { name: "Grump", instructions: "GRUMP-TEXT" });
    const mini = await make("prompts/mini", { name: "Rhyme", content: "RHYME-TEXT" });
    await say({
      system_prompt_id: "pirate",
      personality_id: personality,
      custom_instructions: ["Rhyme"],
      temperature: 0.1,
      top_p: 0.5,
      max_tokens: 77,
    });
    const { model, settings, enabledCustomInstructionIds } = await detail();
    expect({ model, enabledCustomInstructionIds }).to.deep.equal({
      model: "custom/test",
      enabledCustomInstructionIds: [mini],
    });
    expect(settings).to.include({
      selectedModel: "custom/test",
      temperature: 0.1,
      topP: 0.5,
      maxTokens: 77,
      repetitionPenalty: null,
      selectedSystemPromptId: prompt,
      selectedPersonalityId: personality,
    });
    await say();
    const body = sentBody(stage);
    expect(body).to.include({ temperature: 0.1, top_p: 0.5, max_tokens: 77 });
    for (const text of ["PIRATE-TEXT", "GRUMP-TEXT", "RHYME-TEXT"])
      expect(JSON.stringify(body.messages)).to.include(text);
    await say({ temperature: 0.9 });
    expect((await detail()).settings).to.include({ temperature: 0.9, topP: 0.5 });
  });

  it("H5: is not changed by texts that nobody knows, nor by a request that fails", async () => {
    const { warnings } = await say({ system_prompt_id: "nobody's", custom_instructions: ["nor this"] });
    expect(warnings).to.have.lengthOf(2);
    stage.provider.play(chatReply({ error: { status: 500 } }));
    const failed = { messages: [user("Hi")], conversationId: id, temperature: 0.3 };
    expect((await chat(stage, failed)).status).to.equal(502);
    const { settings, enabledCustomInstructionIds } = await detail();
    expect(settings).to.include({ selectedSystemPromptId: null, temperature: null });
    expect(enabledCustomInstructionIds).to.deep.equal([]);
  });

  it("H6: is null in settings as long as nobody set it; what is in force is beside them", async () => {
    await stage.host.json("POST", "/v1/conversations", { id });
    const { settings, effective } = (await detail()) as Detail & { effective: object };
    for (const key of unset) expect(settings[key], key).to.equal(null);
    expect(settings).to.include({ enableTools: true, useSharedData: false });
    expect(effective).to.include({
      selectedModel: "custom/test",
      temperature: 0.7,
      topP: 1,
      maxTokens: 2000,
      repetitionPenalty: 1,
      enableReasoning: null,
    });
  });

  it("H6: is unchanged by a client that sends back what it read", async () => {
    await say({ temperature: 0.2 });
    const { created: _created, ...before } = await detail();
    for (let time = 0; time < 2; time++) {
      const read = await detail();
      const changes = await stage.host.json("PATCH", path, {
        title: read.title,
        model: read["model"],
        settings: read.settings,
        folderId: read["folderId"],
        isPinned: read["isPinned"],
        enabledCustomInstructionIds: read["enabledCustomInstructionIds"],
      });
      expect(changes.status, JSON.stringify(changes.body)).to.equal(200);
    }
    const { created: _, ...after } = await detail();
    expect(after).to.deep.equal(before);
    await say();
    expect(sentBody(stage)).to.not.have.any.keys("repetition_penalty", "reasoning", "reasoning_effort");
  });

  it("H6: has one model, whichever name a client uses for it", async () => {
    await stage.host.json("POST", "/v1/conversations", { id, model: "custom/a" });
    const models = async (body: object) => {
      await stage.host.json("PATCH", path, body);
      const { model, settings } = await detail();
      return [model, settings["selectedModel"]];
    };
    expect(await models({ settings: { selectedModel: "custom/b" } })).to.deep.equal(["custom/b", "custom/b"]);
    expect(await models({ model: "custom/c" })).to.deep.equal(["custom/c", "custom/c"]);
    const both = { model: "custom/c", settings: { selectedModel: "custom/d" } };
    expect(await models(both)).to.deep.equal(["custom/d", "custom/d"]);
    expect(await models({ model: "custom/e", settings: { selectedModel: "custom/d" } })).to.deep.equal([
      "custom/e",
      "custom/e",
    ]);
    expect(await models({ settings: { selectedModel: null } })).to.deep.equal([null, null]);
  });

  it("H7: decides about thinking and the model where a request does not", async () => {
    const efforts = async (settings: object, more: object = {}) => {
      await stage.host.json("PATCH", path, { settings });
      await say(more);
      return sentBody(stage)["reasoning_effort"];
    };
    await say();
    expect(sentBody(stage)).to.not.have.property("reasoning_effort");
    expect(await efforts({ enableReasoning: true, thinkingEffort: "high" })).to.equal("high");
    expect(await efforts({}, { reasoning: { enabled: true, effort: "low" } })).to.equal("low");
    expect(await efforts({ enableReasoning: null, thinkingEffort: "medium" })).to.equal("medium");
    expect(await efforts({ enableReasoning: false })).to.not.equal("medium");
    await stage.host.json("PATCH", path, { model: "custom/other" });
    stage.provider.play([chatReply({ text: "Done." })]);
    await stage.host.json("POST", "/api/chat/autonomous", { goal: "Go on", conversationId: id });
    expect(sentBody(stage).model).to.equal("other");
  });

  it("H9: has a title that is a whole beginning, without Markdown", async () => {
    await say({ messages: [user("Hello from the client with **bold**")] });
    expect((await detail()).title).to.equal("Hello from the client with bold");
  });

  it("H10: has the run that brought each message of the person and each answer of its tools", async () => {
    const { run_id: first } = await say();
    const { run_id: second } = await say({ messages: [user("Hi"), assistant("Ok."), user("And?")] });
    const { messages } = await detail();
    expect(messages.map(({ role, runId }) => [role, runId])).to.deep.equal([
      ["user", first],
      ["assistant", first],
      ["user", second],
      ["assistant", second],
    ]);
  });
});
