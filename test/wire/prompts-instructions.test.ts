import { expect } from "chai";
import { chatReply } from "@pergola/sdk/testing";
import { detailOf } from "../support/chat.ts";
import {
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

describe("chosen prompts of the small kind", () => {
  let stage: ChosenPrompts;
  before(async () => {
    stage = await openChosenPrompts();
  });
  beforeEach(() => stage.provider.play(chatReply({ text: "Hello." })));
  after(() => stage.end());

  for (const stream of modes) {
    describe(modeName(stream), () => {
      const say = (more: object = {}): Promise<Told> => tell(stage, more, stream);

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
          const conversationId = await stage.converse({ title: "Titled" });
          await stage.patch(conversationId, {
            enabledCustomInstructionIds: [rhyme.id, plain.name.toUpperCase()],
          });
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
          await stage.patch(conversationId, { enabledCustomInstructionIds: [] });
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
});
