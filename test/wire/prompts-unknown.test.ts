import { expect } from "chai";
import { chatReply } from "@pergola/sdk/testing";
import { detailOf } from "../support/chat.ts";
import { officialPlugins, openStage } from "../support/host.ts";
import {
  builtInId,
  makeText,
  modeName,
  modes,
  openChosenPrompts,
  seen,
  tell,
  type ChosenPrompts,
  type Told,
} from "../support/prompt-scene.ts";
import { verifies } from "../support/verifies.ts";

const nobody = "11111111-1111-4111-8111-111111111111";

describe("chosen prompts that there are not", () => {
  let stage: ChosenPrompts;
  before(async () => {
    stage = await openChosenPrompts();
  });
  beforeEach(() => stage.provider.play(chatReply({ text: "Hello." })));
  after(() => stage.end());

  for (const stream of modes) {
    describe(modeName(stream), () => {
      const say = (more: object = {}): Promise<Told> => tell(stage, more, stream);

      verifies("prompts:unknown", "that nobody knows are passed over with a warning", async () => {
        const conversationId = await stage.converse({ systemPromptId: stage.ids.judge });
        const wrong = {
          system_prompt_id: nobody,
          personality_id: "\u0000",
          custom_instructions: ["no one's", "x".repeat(100_000)],
        };
        const { system, block, warnings } = await say({ conversationId, ...wrong });
        expect(system).to.match(/^JUDGE-TEXT/);
        expect(block).to.not.contain("instruction");
        expect(warnings).to.have.lengthOf(4);
        expect(warnings[0]).to.equal(`There is no mini prompt "no one's"; it was ignored.`);
        expect(warnings).to.include(`There is no system prompt "${nobody}"; it was ignored.`);
      });

      verifies(
        "prompts:deleted",
        "that are gone fall back with a warning, and stand in nobody's way",
        async () => {
          const prompt = await makeText(stage, "prompts/system", {
            name: "Brief life",
            content: "SHORT-LIVED",
          });
          const manner = await makeText(stage, "personalities", {
            name: "Brief manner",
            instructions: "SHORT-MANNER",
          });
          const mini = await makeText(stage, "prompts/mini", { name: "Brief word", content: "SHORT-WORD" });
          const conversationId = await stage.converse({
            systemPromptId: prompt.id,
            settings: { selectedPersonalityId: manner.id },
          });
          const named = {
            settings: { selectedSystemPromptId: prompt.id },
            enabledCustomInstructionIds: [mini.id],
          };
          await stage.patch(conversationId, named);
          const told = await say({ conversationId });
          expect(told.system).to.equal("SHORT-LIVED\n\nSHORT-MANNER");
          expect(told.block).to.contain("SHORT-WORD");
          for (const path of [
            `prompts/system/${prompt.id}`,
            `personalities/${manner.id}`,
            `prompts/mini/${mini.id}`,
          ])
            expect((await stage.host.json("DELETE", `/api/${path}`)).status).to.equal(200);
          const after = await say({ conversationId });
          expect(after.system + after.block).to.not.contain("SHORT-");
          expect(after.system).to.contain("How to work:");
          expect(after.warnings).to.deep.equal([
            `There is no mini prompt "${mini.id}"; it was ignored.`,
            `There is no system prompt "${prompt.id}"; it was ignored.`,
            `There is no personality "${manner.id}"; it was ignored.`,
          ]);
          expect((await stage.patch(conversationId, named)).status).to.equal(200);
          expect((await stage.patch(await stage.converse({}), named)).body.error).to.include({
            code: "not_found",
            param: "selectedSystemPromptId",
          });
        },
      );
    });
  }

  verifies(
    "prompts:unknown",
    "that nobody knows are 404 in a conversation, naming the field, and change nothing",
    async () => {
      const id = await stage.converse({ title: "Kept", systemPromptId: "minimal", personalityId: "sage" });
      const before = await detailOf(stage.host, id);
      expect(before.settings).to.include({
        selectedSystemPromptId: builtInId(4),
        selectedPersonalityId: stage.ids.sage,
      });
      const count = async () =>
        (await stage.host.json<{ count: number }>("GET", "/v1/conversations?limit=1")).body.count;
      const all = await count();
      for (const [body, param] of [
        [{ systemPromptId: nobody }, "selectedSystemPromptId"],
        [{ settings: { selectedSystemPromptId: "none" } }, "selectedSystemPromptId"],
        [{ personalityId: stage.ids.poet }, "selectedPersonalityId"],
        [{ settings: { selectedPersonalityId: "none" } }, "selectedPersonalityId"],
      ] as const) {
        for (const { status, body: answer } of [
          await stage.host.json<{ error: { code: string; param: string } }>("POST", "/v1/conversations", {
            title: "x",
            ...body,
          }),
          await stage.patch(id, { title: "x", ...body }),
        ])
          expect([status, answer.error?.code, answer.error?.param]).to.deep.equal([404, "not_found", param]);
      }
      const { status, body } = await stage.patch(id, { title: "x", enabledCustomInstructionIds: ["none"] });
      expect([status, body.error?.code, body.error?.param]).to.deep.equal([
        404,
        "not_found",
        "enabledCustomInstructionIds",
      ]);
      expect(await detailOf(stage.host, id)).to.deep.equal(before);
      expect(await count()).to.equal(all);
      expect((await stage.patch(id, { enabledCustomInstructionIds: Array(101).fill("x") })).status).to.equal(
        400,
      );
      expect(
        (
          await stage.host.json("POST", "/api/chat/completions", {
            messages: [],
            mini_prompts: Array(101).fill("x"),
          })
        ).status,
      ).to.equal(400);
    },
  );
});

describe("without feature-prompts", () => {
  verifies("prompts:unknown", "the default prompt is there, and the routes are not", async () => {
    const plugins = officialPlugins([
      "bundle-standard",
      "provider-embedded",
      "provider-scripted",
      "feature-prompts",
    ]);
    const stage = await openStage(chatReply({ text: "Hello." }), { plugins });
    const conversationId = (
      await stage.host.json<{ id: string }>("POST", "/v1/conversations", { systemPromptId: "default" })
    ).body.id;
    expect(await tell(stage, { conversationId })).to.deep.include({ warnings: [] });
    expect(seen(stage).system).to.contain("How to work:");
    const { status, body } = await stage.host.json<{ error: { param: string } }>(
      "POST",
      "/v1/conversations",
      {
        systemPromptId: "minimal",
      },
    );
    expect([status, body.error.param]).to.deep.equal([404, "selectedSystemPromptId"]);
    for (const path of ["prompts/system", "mini-prompts", "personalities"])
      expect(
        (await stage.host.json<{ error: { code: string } }>("GET", `/api/${path}`)).body.error.code,
      ).to.equal("route_not_found");
    await stage.end();
  });
});
