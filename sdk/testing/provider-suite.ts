import { expect } from "chai";
import type { ModelEvent } from "@pergola/sdk";
import { collectEvents, lastOfEvents, textOfEvents } from "./collect-events.ts";
import { ProviderStage, withinOneSecond, type OpenProvider, type ProviderAbility } from "./provider-stage.ts";
import { describeProviderErrors } from "./provider-suite-errors.ts";
import { describeProviderFaults } from "./provider-suite-faults.ts";
import type { ScriptTurn } from "./script.ts";

export interface ProviderSuiteOptions {
  /** The model to ask. Default `test`. */
  readonly model?: string;
  /** What the bench can make the source play; the rules of the others are left out. Default: everything. */
  readonly plays?: readonly ProviderAbility[];
  /** What the source's format has no words for. Default: nothing. */
  readonly lacks?: readonly ("content_filter" | "cachedTokens" | "reasoningTokens")[];
}

const everything: readonly ProviderAbility[] = ["text", "tools", "reasoning", "usage", "errors", "hang"];

/**
 * What every provider must do. `open` gives a provider whose source answers each call with `turn`, said in
 * the source's own format; a source that cannot be told what to say ignores it, and `plays` is `[]`.
 */
export function describeProvider(name: string, open: OpenProvider, options: ProviderSuiteOptions = {}): void {
  const { model = "test", plays = everything } = options;
  const lacks = new Set<string>(options.lacks);
  const stage = new ProviderStage(open, model);
  describe(`${name}, as a provider`, () => {
    afterEach(() => stage.close());
    describeBasics(stage);
    if (plays.includes("text")) describeText(stage, lacks);
    describeProviderFaults(stage, plays);
    if (plays.includes("tools")) describeTools(stage);
    if (plays.includes("reasoning")) describeReasoning(stage);
    if (plays.includes("usage")) describeUsage(stage, lacks);
    if (plays.includes("errors")) describeProviderErrors(stage);
  });
}

function describeBasics(stage: ProviderStage): void {
  it("lists models under names of their own", async () => {
    const ids = (await stage.models()).map(({ id }) => id);
    expect(ids).to.not.be.empty;
    expect(ids).to.deep.equal([...new Set(ids)]);
    expect(ids).to.not.include("");
  });

  it("streams text in pieces that are not empty", async () => {
    const { events, error } = await collectEvents(
      await stage.play({ text: ["Grüße", " aus ", "der 🌿 Laube"] }),
    );
    expect(error).to.equal(undefined);
    expect(events.filter((event) => event.type === "text" && event.text === "")).to.deep.equal([]);
    expect(textOfEvents(events)).to.not.equal("");
  });

  it("ends once, and last", async () => {
    const { events } = await collectEvents(
      await stage.play([{ text: "Yes." }, { type: "end", reason: "stop" }]),
    );
    expect(events.filter(({ type }) => type === "end")).to.have.lengthOf(1);
    const { last, model } = lastOfEvents(events);
    expect(last).to.deep.equal({ type: "end", reason: "stop" });
    expect(model, "the name of the model that answered").to.not.equal("");
  });

  it("yields nothing for a call that was aborted before it began", async () => {
    const { events } = await withinOneSecond(
      collectEvents(await stage.play({ text: "Too late" }, AbortSignal.abort())),
      "Ending",
    );
    expect(events).to.deep.equal([]);
  });
}

function describeText(stage: ProviderStage, lacks: ReadonlySet<string>): void {
  it("streams the text that its source says", async () => {
    const { events } = await collectEvents(await stage.play({ text: ["Grüße", " aus ", "der 🌿 Laube"] }));
    expect(textOfEvents(events)).to.equal("Grüße aus der 🌿 Laube");
  });

  const reasons = ["length", "content_filter"] as const;
  for (const reason of reasons.filter((one) => !lacks.has(one))) {
    it(`tells that an answer ended by ${reason}`, async () => {
      const { events } = await collectEvents(
        await stage.play([{ text: "Half a sen" }, { type: "end", reason }]),
      );
      expect(lastOfEvents(events).last).to.deep.equal({ type: "end", reason });
    });
  }
}

function describeTools(stage: ProviderStage): void {
  const turn: ScriptTurn = [
    { text: "Looking." },
    {
      toolCalls: [
        {
          id: "call_a",
          name: "file_operations",
          arguments: ['{"operation":"read', '_file","path":"ä', '.txt"}'],
        },
        { id: "call_b", name: "todo_operations", arguments: ["{", '"operation":"list"}'] },
      ],
    },
  ];

  it("keeps parallel calls with split arguments apart", async () => {
    const calls = foldCalls((await collectEvents(await stage.play(turn))).events);
    expect(calls.map((call) => call.arguments)).to.deep.equal([
      '{"operation":"read_file","path":"ä.txt"}',
      '{"operation":"list"}',
    ]);
  });

  it("gives each call's id and name once", async () => {
    const calls = foldCalls((await collectEvents(await stage.play(turn))).events);
    expect(calls.map(({ names }) => names)).to.deep.equal([["file_operations"], ["todo_operations"]]);
    expect(calls.every(({ ids }) => ids.length <= 1)).to.equal(true);
  });

  it("ends an answer that calls tools with tool_calls", async () => {
    const { events } = await collectEvents(await stage.play(turn));
    expect(lastOfEvents(events).last).to.deep.equal({ type: "end", reason: "tool_calls" });
    expect(textOfEvents(events)).to.equal("Looking.");
  });
}

function describeReasoning(stage: ProviderStage): void {
  it("tells reasoning from text", async () => {
    const { events } = await collectEvents(
      await stage.play([{ reasoning: ["Let me", " think."] }, { text: "42" }]),
    );
    expect(textOfEvents(events, "reasoning")).to.equal("Let me think.");
    expect(textOfEvents(events)).to.equal("42");
  });
}

function describeUsage(stage: ProviderStage, lacks: ReadonlySet<string>): void {
  it("gives the provider's own count once", async () => {
    const usage = {
      promptTokens: 120,
      completionTokens: 34,
      ...(!lacks.has("cachedTokens") && { cachedTokens: 100 }),
      ...(!lacks.has("reasoningTokens") && { reasoningTokens: 8 }),
    };
    const { events } = await collectEvents(await stage.play([{ text: "Counted." }, { usage }]));
    expect(events.filter(({ type }) => type === "usage")).to.deep.equal([{ type: "usage", usage }]);
  });
}

interface FoldedCall {
  readonly ids: readonly string[];
  readonly names: readonly string[];
  readonly arguments: string;
}

function foldCalls(events: readonly ModelEvent[]): readonly FoldedCall[] {
  const calls = new Map<number, FoldedCall>();
  for (const event of events) {
    if (event.type !== "tool_call") continue;
    const call = calls.get(event.index) ?? { ids: [], names: [], arguments: "" };
    calls.set(event.index, {
      ids: event.id === undefined ? call.ids : [...call.ids, event.id],
      names: event.name === undefined ? call.names : [...call.names, event.name],
      arguments: call.arguments + (event.arguments ?? ""),
    });
  }
  return [...calls.values()];
}
