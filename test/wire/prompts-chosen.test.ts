import { expect } from "chai";
import { chatReply } from "@pergola/sdk/testing";
import { detailOf } from "../support/chat.ts";
import { officialPlugins, openStage, type Stage } from "../support/host.ts";
import { builtInId, makeText, modeName, modes, seen, tell, type Told } from "../support/prompt-scene.ts";
import { verifies } from "../support/verifies.ts";

const think = { toolCalls: [{ name: "think", arguments: { thoughts: "Hm." } }] };
const nobody = "11111111-1111-4111-8111-111111111111";

describe("chosen prompts", () => {
  let stage: Stage;
  let ids: Readonly<Record<"poet" | "judge" | "sage" | "clown", string>>;
  before(async () => {
    stage = await openStage();
    const make = async (path: string, body: object) => (await makeText(stage, path, body)).id;
    ids = {
      poet: await make("prompts/system", { name: "Poet", content: "POET-TEXT" }),
      judge: await make("prompts/system", { name: "Judge", content: "JUDGE-TEXT" }),
      sage: await make("personalities", {
        name: "Sage",
        instructions: "SAGE-TEXT",
        traits: { tone: "dry", teachingStyle: "by example" },
      }),
      clown: await make("personalities", { name: "Clown", instructions: "CLOWN-TEXT" }),
    };
  });
  beforeEach(() => stage.provider.play(chatReply({ text: "Hello." })));
  after(() => stage.end());

  const contentOf = async (path: string) =>
    (await stage.host.json<{ content: string; instructions: string }>("GET", `/api/${path}`)).body;
  const converse = async (body: object) =>
    (await stage.host.json<{ id: string }>("POST", "/v1/conversations", body)).body.id;
  const patch = (id: string, body: object) =>
    stage.host.json<{ error?: { code: string; param: string } }>("PATCH", `/v1/conversations/${id}`, body);

  for (const stream of modes) {
    describe(modeName(stream), () => {
      const say = (more: object = {}): Promise<Told> => tell(stage, more, stream);

      verifies(["prompts:chosen", "C07"], "are the defaults where nobody chose", async () => {
        const { content } = await contentOf("prompts/system/default");
        const { instructions } = await contentOf(`personalities/${builtInId(1)}`);
        expect(await say()).to.deep.include({ system: `${content}\n\n${instructions}`, warnings: [] });
      });

      verifies(["prompts:chosen", "C07"], "are the request's, else the conversation's", async () => {
        const own = "SAGE-TEXT\n\nTone: dry. Teaching style: by example.";
        expect(await say({ system_prompt_id: ids.poet, personality_id: ids.sage })).to.deep.include({
          system: `POET-TEXT\n\n${own}`,
          warnings: [],
        });
        const conversationId = await converse({ systemPromptId: ids.judge, personalityId: ids.clown });
        expect((await say({ conversationId })).system).to.equal("JUDGE-TEXT\n\nCLOWN-TEXT");
        expect((await say({ conversationId, system_prompt_id: ids.poet })).system).to.equal(
          "POET-TEXT\n\nCLOWN-TEXT",
        );
        expect(
          (
            await say({
              conversationId,
              service_config: { systemPromptId: ids.poet },
              personalityId: ids.sage,
            })
          ).system,
        ).to.equal(`POET-TEXT\n\n${own}`);
        const both = { system_prompt_id: ids.poet, service_config: { system_prompt_id: ids.judge } };
        expect((await say(both)).system).to.match(/^POET-TEXT/);
        // A conversation goes on as it was held last.
        expect((await say({ conversationId })).system).to.equal(`POET-TEXT\n\n${own}`);
        await patch(conversationId, { systemPromptId: null, personalityId: "" });
        expect((await say({ conversationId })).system).to.not.match(/JUDGE|CLOWN|POET|SAGE/);
      });

      verifies("prompts:chosen", "are known by the words of an older client dialect (C31)", async () => {
        for (const [older, word] of [
          ["sam_default", "default"],
          ["autonomous_editor", "autonomous"],
          ["SAM_minimal", "minimal"],
        ] as const) {
          const { system } = await say({ system_prompt_id: word, personality_id: ids.clown });
          expect(await say({ system_prompt_id: older, personality_id: ids.clown }), older).to.deep.include({
            system,
            warnings: [],
          });
        }
      });

      verifies("prompts:chosen", "are known by word, name and any case of their id", async () => {
        const { content } = await contentOf("prompts/system/minimal");
        for (const id of ["minimal", "Minimal", builtInId(4)])
          expect((await say({ system_prompt_id: id })).system).to.contain(content);
        for (const id of ["poet", " POET ", ids.poet.toUpperCase()])
          expect((await say({ system_prompt_id: id })).system).to.contain("POET-TEXT");
      });

      verifies(
        ["prompts:chosen", "W15"],
        "are the same text in each call of a run, and in the next run",
        async () => {
          const first = stage.provider.requests.length;
          const conversationId = await converse({ personalityId: ids.sage });
          for (const _run of [1, 2]) {
            stage.provider.play([chatReply(think), chatReply(think), chatReply({ text: "Done." })]);
            await say({ conversationId });
          }
          const systems = stage.provider.requests
            .slice(first)
            .map((_, index) => seen(stage, first + index).system);
          expect(systems).to.have.lengthOf(6);
          expect(new Set(systems).size).to.equal(1);
          expect(systems[0]).to.contain("SAGE-TEXT");
        },
      );

      verifies("prompts:unknown", "that nobody knows are passed over with a warning", async () => {
        const conversationId = await converse({ systemPromptId: ids.judge });
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
          const conversationId = await converse({
            systemPromptId: prompt.id,
            settings: { selectedPersonalityId: manner.id },
          });
          const named = {
            settings: { selectedSystemPromptId: prompt.id },
            enabledCustomInstructionIds: [mini.id],
          };
          await patch(conversationId, named);
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
          expect((await patch(conversationId, named)).status).to.equal(200);
          expect((await patch(await converse({}), named)).body.error).to.include({
            code: "not_found",
            param: "selectedSystemPromptId",
          });
        },
      );

      verifies(
        ["prompts:instructions", "W14"],
        "of the small kind stand in the context block alone, in their order, and are stored nowhere",
        async () => {
          const make = (name: string, displayOrder: number) =>
            makeText(stage, "prompts/mini", {
              name: `${name}-${String(stream)}`,
              content: `${name.toUpperCase()}-WORD\nin two lines`,
              displayOrder,
            });
          const [rhyme, short, plain] = [
            await make("rhyme", 30),
            await make("short", 20),
            await make("plain", 10),
          ];
          const conversationId = await converse({ title: "Titled" });
          await patch(conversationId, { enabledCustomInstructionIds: [rhyme.id, plain.name.toUpperCase()] });
          const told = await say({
            conversationId,
            custom_instructions: [short.name],
            mini_prompts: [plain.name],
            mini_prompt_ids: [rhyme.id],
          });
          expect(told.block.split("\n").slice(-7)).to.deep.equal([
            `instruction (${plain.name}): PLAIN-WORD`,
            "in two lines",
            `instruction (${short.name}): SHORT-WORD`,
            "in two lines",
            `instruction (${rhyme.name}): RHYME-WORD`,
            "in two lines",
            "</context>",
          ]);
          expect(told.said).to.equal("Hello");
          expect(told.system).to.not.contain("-WORD");
          expect(told.warnings).to.deep.equal([]);
          const used = [short.id, plain.id, rhyme.id];
          const detail = await detailOf(stage.host, conversationId);
          expect(detail["enabledCustomInstructionIds"]).to.deep.equal(used);
          expect(detail.settings["mini_prompt_ids"]).to.deep.equal(used);
          expect(JSON.stringify(detail)).to.not.contain("-WORD");
          const next = await say({ conversationId });
          expect(next.block)
            .to.contain("PLAIN-WORD")
            .and.to.contain("RHYME-WORD")
            .and.to.contain("SHORT-WORD");
          const sent = () => JSON.stringify(stage.provider.requests.at(-1)?.body);
          expect(sent().split("PLAIN-WORD"), "behind each of both messages").to.have.lengthOf(3);
          await patch(conversationId, { enabledCustomInstructionIds: [] });
          await say({ conversationId });
          expect(sent()).to.not.contain("PLAIN-WORD");
        },
      );

      verifies(
        "prompts:instructions",
        "of the small kind are there in every call of a run, as they were when it began",
        async () => {
          const { id, name } = await makeText(stage, "prompts/mini", {
            name: `loop-${String(stream)}`,
            content: "BEFORE",
          });
          let answer: () => void = () => undefined;
          const until = new Promise<void>((resolve) => (answer = resolve));
          const first = stage.provider.requests.length;
          stage.provider.play([
            chatReply([{ until }, think]),
            chatReply(think),
            chatReply({ text: "Done." }),
          ]);
          const asked = say({ custom_instructions: [name] });
          await stage.provider.request(first);
          await stage.host.json("PATCH", `/api/prompts/mini/${id}`, { content: "AFTER" });
          answer();
          await asked;
          stage.provider.play(chatReply({ text: "Hello." }));
          for (const index of [0, 1, 2])
            expect(seen(stage, first + index).block).to.contain(`instruction (${name}): BEFORE`);
          expect((await say({ custom_instructions: [name] })).block).to.contain("AFTER");
        },
      );
    });
  }

  verifies(
    "prompts:unknown",
    "that nobody knows are 404 in a conversation, naming the field, and change nothing",
    async () => {
      const id = await converse({ title: "Kept", systemPromptId: "minimal", personalityId: "sage" });
      const before = await detailOf(stage.host, id);
      expect(before.settings).to.include({
        selectedSystemPromptId: builtInId(4),
        selectedPersonalityId: ids.sage,
      });
      const count = async () =>
        (await stage.host.json<{ count: number }>("GET", "/v1/conversations?limit=1")).body.count;
      const all = await count();
      for (const [body, param] of [
        [{ systemPromptId: nobody }, "selectedSystemPromptId"],
        [{ settings: { selectedSystemPromptId: "none" } }, "selectedSystemPromptId"],
        [{ personalityId: ids.poet }, "selectedPersonalityId"],
        [{ settings: { selectedPersonalityId: "none" } }, "selectedPersonalityId"],
      ] as const) {
        for (const { status, body: answer } of [
          await stage.host.json<{ error: { code: string; param: string } }>("POST", "/v1/conversations", {
            title: "x",
            ...body,
          }),
          await patch(id, { title: "x", ...body }),
        ])
          expect([status, answer.error?.code, answer.error?.param]).to.deep.equal([404, "not_found", param]);
      }
      const { status, body } = await patch(id, { title: "x", enabledCustomInstructionIds: ["none"] });
      expect([status, body.error?.code, body.error?.param]).to.deep.equal([
        404,
        "not_found",
        "enabledCustomInstructionIds",
      ]);
      expect(await detailOf(stage.host, id)).to.deep.equal(before);
      expect(await count()).to.equal(all);
      expect((await patch(id, { enabledCustomInstructionIds: Array(101).fill("x") })).status).to.equal(400);
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

  verifies(
    ["prompts:chosen", "prompts:deleted"],
    "of the preferences hold where nobody chose others, and fall back once they are gone",
    async () => {
      const other = await openStage(chatReply({ text: "Hello." }), {
        settings: { default_system_prompt_id: "Poet", default_personality_id: builtInId(2) },
      });
      const { instructions } = (
        await other.host.json<{ instructions: string }>("GET", `/api/personalities/${builtInId(2)}`)
      ).body;
      const lost = await tell(other);
      expect(lost.system).to.contain("How to work:").and.to.contain(instructions);
      expect(lost.warnings).to.deep.equal(['There is no system prompt "Poet"; it was ignored.']);
      const isDefault = async (path: string, key: string) =>
        (await other.host.json<Record<string, { id: string; isDefault: boolean }[]>>("GET", path)).body[key]
          ?.filter((one) => one.isDefault)
          .map(({ id }) => id);
      expect(await isDefault("/api/prompts/system", "prompts")).to.deep.equal([builtInId(1)]);
      expect(await isDefault("/api/personalities", "personalities")).to.deep.equal([builtInId(2)]);
      const poet = await makeText(other, "prompts/system", { name: "Poet", content: "POET-TEXT" });
      expect(poet.isDefault).to.equal(true);
      const found = await tell(other);
      expect(found.system).to.match(/^POET-TEXT\n\n/);
      expect(found.warnings).to.deep.equal([]);
      expect(await isDefault("/api/prompts/system", "prompts")).to.deep.equal([poet.id]);
      await other.end();
    },
  );

  verifies(
    "prompts:chosen",
    "come before the request's own system messages, which hold for that request only",
    async () => {
      const messages = [
        { role: "system", content: "OWN-TEXT" },
        { role: "user", content: "Hi" },
      ];
      expect(
        (await tell(stage, { messages, system_prompt_id: ids.poet, personality_id: ids.clown })).system,
      ).to.equal("POET-TEXT\n\nCLOWN-TEXT\n\nOWN-TEXT");
    },
  );

  verifies("prompts:chosen", "hold in autonomous runs too, which are told to go on until done", async () => {
    await stage.host.json("POST", "/api/chat/autonomous", {
      goal: "Go",
      system_prompt_id: ids.poet,
      personality_id: ids.clown,
    });
    expect(seen(stage).system).to.match(
      /^POET-TEXT\n\nYou work on your own until the task is done:[^]*\n\nCLOWN-TEXT$/,
    );
    await stage.host.json("POST", "/api/chat/autonomous", { goal: "Go", system_prompt_id: "autonomous" });
    expect(seen(stage).system.split("You work on your own")).to.have.lengthOf(2);
  });
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
