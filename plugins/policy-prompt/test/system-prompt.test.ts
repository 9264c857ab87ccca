import { expect } from "chai";
import { systemPrompt } from "../choose-prompt.ts";
import { autonomousPrompt, untilDone } from "../prompts/autonomous.ts";
import { builtInPrompt } from "../prompts/built-in.ts";
import { defaultPrompt } from "../prompts/default.ts";
import { minimalPrompt } from "../prompts/minimal.ts";
import type { Prompt } from "../prompts/prompt.ts";
import { warnUnknown } from "../warn-unknown.ts";
import { preferences, scene } from "./scene.ts";

const textOf = ({ parts }: Prompt): string => parts.join("\n\n");

describe("the system prompt", () => {
  it("is the default one without any choice", () => {
    expect(systemPrompt(scene(), preferences())).to.equal(textOf(defaultPrompt));
  });

  it("is the request's, else the conversation's, else the preference's", () => {
    const both = scene({
      request: { systemPromptId: minimalPrompt.id },
      conversation: { settings: { selectedSystemPromptId: autonomousPrompt.id } },
    });
    expect(systemPrompt(both, preferences())).to.equal(textOf(minimalPrompt));
    const own = scene({ conversation: { settings: { selectedSystemPromptId: autonomousPrompt.id } } });
    expect(systemPrompt(own, preferences({ default_system_prompt_id: "minimal" }))).to.equal(textOf(autonomousPrompt));
    expect(systemPrompt(scene(), preferences({ default_system_prompt_id: "minimal" }))).to.equal(textOf(minimalPrompt));
  });

  it("passes an unknown id over, with a warning", () => {
    const asked = scene({ request: { systemPromptId: "pirate" }, conversation: { settings: { selectedSystemPromptId: "minimal" } } });
    expect(systemPrompt(asked, preferences())).to.equal(textOf(minimalPrompt));
    expect(asked.warnings).to.deep.equal(['There is no system prompt "pirate"; it was ignored.']);
    expect(systemPrompt(scene({ request: { systemPromptId: "" } }), preferences({ default_system_prompt_id: "gone" }))).to.equal(
      textOf(defaultPrompt),
    );
  });

  it("knows the built-in prompts by id and by word", () => {
    for (const [id, prompt] of [
      ["00000000-0000-0000-0000-000000000001", defaultPrompt],
      ["00000000-0000-0000-0000-000000000002", autonomousPrompt],
      ["00000000-0000-0000-0000-000000000004", minimalPrompt],
      ["default", defaultPrompt],
      ["Autonomous", autonomousPrompt],
      ["MINIMAL", minimalPrompt],
    ] as const) {
      expect(builtInPrompt(id)).to.equal(prompt);
    }
    expect(builtInPrompt("00000000-0000-0000-0000-000000000003")).to.equal(undefined);
  });

  it("tells an autonomous run once to plan and to work until done, whatever the prompt", () => {
    const autonomous = (systemPromptId?: string) =>
      systemPrompt(scene({ request: { kind: "autonomous", ...(systemPromptId && { systemPromptId }) } }), preferences());
    expect(autonomous()).to.equal(textOf(autonomousPrompt));
    expect(autonomous("autonomous")).to.equal(textOf(autonomousPrompt));
    expect(autonomous("minimal")).to.equal(`${textOf(minimalPrompt)}\n\n${untilDone}`);
  });

  it("W15: holds no fact that changes: it is the same text for every conversation and iteration", () => {
    const other = scene({ conversation: { id: "x", title: "Other" }, iteration: 7 });
    expect(systemPrompt(other, preferences({ "user.name": "Ada", "user.time_zone": "Asia/Tokyo" }))).to.equal(
      systemPrompt(scene(), preferences()),
    );
  });

  it("stays small", () => {
    expect(Buffer.byteLength(textOf(defaultPrompt))).to.be.below(2048);
    expect(Buffer.byteLength(textOf(minimalPrompt))).to.be.below(256);
  });
});

describe("texts that are not installed", () => {
  it("are named in warnings", () => {
    const asked = scene({ request: { personalityId: "pirate", customInstructions: ["haiku"] } });
    warnUnknown(asked);
    expect(asked.warnings).to.deep.equal([
      'There is no personality "pirate"; it was ignored.',
      'There is no mini prompt "haiku"; it was ignored.',
    ]);
  });

  it("are not warned about when only the defaults are named", () => {
    const asked = scene({ conversation: { settings: { selectedPersonalityId: "00000000-0000-0000-0000-000000000001" } } });
    warnUnknown(asked);
    expect(asked.warnings).to.deep.equal([]);
  });
});
