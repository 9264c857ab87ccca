import { expect } from "chai";
import { chatReply } from "@pergola/sdk/testing";
import { openStage } from "../support/host.ts";
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

const think = { toolCalls: [{ name: "think", arguments: { thoughts: "Hm." } }] };

describe("chosen prompts", () => {
  let stage: ChosenPrompts;
  before(async () => {
    stage = await openChosenPrompts();
  });
  beforeEach(() => stage.provider.play(chatReply({ text: "Hello." })));
  after(() => stage.end());

  for (const stream of modes) {
    describe(modeName(stream), () => {
      const say = (more: object = {}): Promise<Told> => tell(stage, more, stream);

      verifies(["prompts:chosen", "C07"], "are the defaults where nobody chose", async () => {
        const { content } = await stage.contentOf("prompts/system/default");
        const { instructions } = await stage.contentOf(`personalities/${builtInId(1)}`);
        expect(await say()).to.deep.include({ system: `${content}\n\n${instructions}`, warnings: [] });
      });

      verifies(["prompts:chosen", "C07"], "are the request's, else the conversation's", async () => {
        const own = "SAGE-TEXT\n\nTone: dry. Teaching style: by example.";
        expect(
          await say({ system_prompt_id: stage.ids.poet, personality_id: stage.ids.sage }),
        ).to.deep.include({
          system: `POET-TEXT\n\n${own}`,
          warnings: [],
        });
        const conversationId = await stage.converse({
          systemPromptId: stage.ids.judge,
          personalityId: stage.ids.clown,
        });
        expect((await say({ conversationId })).system).to.equal("JUDGE-TEXT\n\nCLOWN-TEXT");
        expect((await say({ conversationId, system_prompt_id: stage.ids.poet })).system).to.equal(
          "POET-TEXT\n\nCLOWN-TEXT",
        );
        expect(
          (
            await say({
              conversationId,
              service_config: { systemPromptId: stage.ids.poet },
              personalityId: stage.ids.sage,
            })
          ).system,
        ).to.equal(`POET-TEXT\n\n${own}`);
        const both = {
          system_prompt_id: stage.ids.poet,
          service_config: { system_prompt_id: stage.ids.judge },
        };
        expect((await say(both)).system).to.match(/^POET-TEXT/);
        // A conversation goes on as it was held last.
        expect((await say({ conversationId })).system).to.equal(`POET-TEXT\n\n${own}`);
        await stage.patch(conversationId, { systemPromptId: null, personalityId: "" });
        expect((await say({ conversationId })).system).to.not.match(/JUDGE|CLOWN|POET|SAGE/);
      });

      verifies("prompts:chosen", "are known by the words of an older client dialect (C31)", async () => {
        for (const [older, word] of [
          ["sam_default", "default"],
          ["autonomous_editor", "autonomous"],
          ["SAM_minimal", "minimal"],
        ] as const) {
          const { system } = await say({ system_prompt_id: word, personality_id: stage.ids.clown });
          expect(
            await say({ system_prompt_id: older, personality_id: stage.ids.clown }),
            older,
          ).to.deep.include({
            system,
            warnings: [],
          });
        }
      });

      verifies("prompts:chosen", "are known by word, name and any case of their id", async () => {
        const { content } = await stage.contentOf("prompts/system/minimal");
        for (const id of ["minimal", "Minimal", builtInId(4)])
          expect((await say({ system_prompt_id: id })).system).to.contain(content);
        for (const id of ["poet", " POET ", stage.ids.poet.toUpperCase()])
          expect((await say({ system_prompt_id: id })).system).to.contain("POET-TEXT");
      });

      verifies(
        ["prompts:chosen", "W15"],
        "are the same text in each call of a run, and in the next run",
        async () => {
          const first = stage.provider.requests.length;
          const conversationId = await stage.converse({ personalityId: stage.ids.sage });
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
    });
  }

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
        (await tell(stage, { messages, system_prompt_id: stage.ids.poet, personality_id: stage.ids.clown }))
          .system,
      ).to.equal("POET-TEXT\n\nCLOWN-TEXT\n\nOWN-TEXT");
    },
  );

  verifies("prompts:chosen", "hold in autonomous runs too, which are told to go on until done", async () => {
    await stage.host.json("POST", "/api/chat/autonomous", {
      goal: "Go",
      system_prompt_id: stage.ids.poet,
      personality_id: stage.ids.clown,
    });
    expect(seen(stage).system).to.match(
      /^POET-TEXT\n\nYou work on your own until the task is done:[^]*\n\nCLOWN-TEXT$/,
    );
    await stage.host.json("POST", "/api/chat/autonomous", { goal: "Go", system_prompt_id: "autonomous" });
    expect(seen(stage).system.split("You work on your own")).to.have.lengthOf(2);
  });
});
