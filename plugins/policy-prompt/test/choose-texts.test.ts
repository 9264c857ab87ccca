import { expect } from "chai";
import type { Json } from "@pergola/sdk";
import { defaultPrompt, untilDonePrompt } from "@pergola/sdk/host";
import { chooseMini, chooseSystem } from "../choose-texts.ts";
import { warnUnknown } from "../warn-unknown.ts";
import { withoutService } from "../without-service.ts";
import { preferences, scene } from "./scene.ts";
import { texts } from "./texts.ts";

type Facts = Parameters<typeof scene>[0];

async function choose(facts: Facts = {}, set: Readonly<Record<string, Json>> = {}, source = texts()) {
  const context = scene(facts);
  return {
    system: await chooseSystem(context, preferences(set), source),
    warnings: context.warnings,
    parts: context.parts,
    source,
  };
}

const selected = (settings: object): Facts => ({ conversation: { settings } });

describe("the system prompt of a run", () => {
  it("is the request's, else the conversation's, else the preference's, else the default", async () => {
    const conversation = { settings: { selectedSystemPromptId: "long" } };
    const set = { default_system_prompt_id: "short" };
    expect((await choose({ conversation, request: { systemPromptId: "short" } })).system).to.equal("SHORT");
    expect((await choose({ conversation }, set)).system).to.equal("LONG");
    expect((await choose({ conversation, request: { systemPromptId: "" } }, set)).system).to.equal("LONG");
    expect((await choose({}, set)).system).to.equal("SHORT");
    expect(await choose()).to.deep.include({ system: "DEFAULT", warnings: [] });
  });

  it("has the personality behind it, chosen the same way, with its traits", async () => {
    const pirate = "Arr.\n\nTone: rough. Teaching style: by doing.";
    const own = selected({ selectedPersonalityId: "monk" });
    expect((await choose({ ...own, request: { personalityId: "pirate" } })).system).to.equal(
      `DEFAULT\n\n${pirate}`,
    );
    expect((await choose(own, { default_personality_id: "pirate" })).system).to.equal("DEFAULT\n\nOm.");
    expect(
      (await choose({}, { default_personality_id: "pirate", default_system_prompt_id: "short" })).system,
    ).to.equal(`SHORT\n\n${pirate}`);
  });

  it("says which texts it is of, and how many tokens they have", async () => {
    const { parts } = await choose({ request: { systemPromptId: "short", personalityId: "pirate" } });
    expect(parts).to.deep.equal([
      { kind: "system", tokens: 2, id: "id-short" },
      { kind: "personality", tokens: 11, id: "id-pirate" },
    ]);
  });

  it("passes over what nobody knows, with a warning for each", async () => {
    const facts = {
      ...selected({ selectedSystemPromptId: "gone", selectedPersonalityId: "lost" }),
      request: { systemPromptId: "none" },
    };
    const { system, warnings } = await choose(facts, {
      default_system_prompt_id: "old",
      default_personality_id: "older",
    });
    expect(system).to.equal("DEFAULT");
    expect(warnings).to.deep.equal([
      'There is no system prompt "none"; it was ignored.',
      'There is no system prompt "gone"; it was ignored.',
      'There is no system prompt "old"; it was ignored.',
      'There is no personality "lost"; it was ignored.',
      'There is no personality "older"; it was ignored.',
    ]);
  });

  it("repeats no more than the beginning of a long name", async () => {
    const { warnings } = await choose({ request: { personalityId: "x".repeat(1_000_000) } });
    expect(warnings[0]?.length).to.be.below(300);
  });

  it("looks up only what it needs: one text of each kind where both are known", async () => {
    const { source } = await choose({ request: { systemPromptId: "short", personalityId: "monk" } });
    expect([source.system.asked, source.personalities.asked, source.mini.asked]).to.deep.equal([
      ["short"],
      ["monk"],
      [],
    ]);
  });

  it("tells an autonomous run once to plan and to work until done, whatever the prompt", async () => {
    expect((await choose({ request: { kind: "autonomous" } })).system).to.equal(
      `DEFAULT\n\n${untilDonePrompt}`,
    );
    const source = {
      ...texts(),
      system: { asked: [], find: async () => ({ content: `A\n\n${untilDonePrompt}` }) },
    } as never;
    expect(
      (await choose({ request: { kind: "autonomous", personalityId: "monk" } }, {}, source)).system,
    ).to.equal(`A\n\n${untilDonePrompt}\n\nOm.`);
  });

  it("W15: holds no fact that changes: it is the same text for every conversation and iteration", async () => {
    const other = await choose(
      { conversation: { id: "x", title: "Other" }, iteration: 7 },
      { "user.name": "Ada", "user.time_zone": "Asia/Tokyo" },
    );
    expect(other.system).to.equal((await choose()).system);
  });
});

describe("the mini prompts of a run", () => {
  const chooseFrom = async (
    customInstructions: readonly string[],
    enabledCustomInstructionIds: readonly string[] = [],
  ) => {
    const context = scene({ request: { customInstructions }, conversation: { enabledCustomInstructionIds } });
    const names = (await chooseMini(context, texts())).map(({ name }) => name);
    return { names, warnings: context.warnings };
  };

  it("are those of the request and of the conversation, by name or id, each once, in their order", async () => {
    expect(await chooseFrom(["haiku"], ["id-polite"])).to.deep.equal({
      names: ["polite", "haiku"],
      warnings: [],
    });
    expect(await chooseFrom(["haiku", "id-haiku"], ["id-haiku", "polite"])).to.deep.equal({
      names: ["polite", "haiku"],
      warnings: [],
    });
    expect(await chooseFrom([])).to.deep.equal({ names: [], warnings: [] });
  });

  it("that nobody knows are passed over with a warning, those without a name in silence", async () => {
    expect(await chooseFrom(["sonnet", "", "haiku"], ["id-gone", " "])).to.deep.equal({
      names: ["haiku"],
      warnings: [
        'There is no mini prompt "sonnet"; it was ignored.',
        'There is no mini prompt "id-gone"; it was ignored.',
      ],
    });
  });
});

describe("without a plugin that keeps texts", () => {
  it("there is the default prompt alone, and all else is warned about", async () => {
    const plain = scene({ conversation: { settings: { selectedSystemPromptId: "Default" } } });
    expect(await chooseSystem(plain, preferences(), withoutService)).to.equal(defaultPrompt);
    expect(plain.warnings).to.deep.equal([]);
    const asked = scene({
      request: { systemPromptId: "minimal", personalityId: "pirate", customInstructions: ["haiku"] },
    });
    expect(await chooseSystem(asked, preferences(), withoutService)).to.equal(defaultPrompt);
    expect(await chooseMini(asked, withoutService)).to.deep.equal([]);
    expect(asked.warnings).to.deep.equal([
      'There is no system prompt "minimal"; it was ignored.',
      'There is no personality "pirate"; it was ignored.',
      'There is no mini prompt "haiku"; it was ignored.',
    ]);
  });
});

describe("topics that are not there", () => {
  it("are named in a warning", () => {
    const asked = scene({ request: { topic: "Taxes" } });
    warnUnknown(asked);
    expect(asked.warnings).to.deep.equal(['There are no topics; "Taxes" was ignored.']);
  });
});
