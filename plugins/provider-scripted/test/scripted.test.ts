import { expect } from "chai";
import { definePlugin, type JsonObject, type ModelCall, type Provider } from "@pergola/sdk";
import {
  collectEvents,
  describeProvider,
  providerDoor,
  providerSettings,
  scriptedProvider,
  textOfEvents,
} from "@pergola/sdk/testing";
import plugin from "../index.ts";

const never = (): AbortSignal => new AbortController().signal;
const call = (given: Partial<ModelCall> = {}): ModelCall => ({
  model: "test",
  messages: [{ role: "user", content: "Hi" }],
  tools: [],
  sampling: {},
  ...given,
});

describeProvider("a scripted model", async (turn) => ({
  provider: await scriptedProvider([turn], { repeatLast: true }).open(providerSettings(), providerDoor()),
}));

describe("the kind `scripted`", () => {
  const open = async (extra: JsonObject, models: readonly string[] = []): Promise<Provider> => {
    const kind = plugin.providers?.[0];
    if (kind === undefined) throw new Error("no kind");
    return kind.open(providerSettings({ type: "scripted", extra, models }), providerDoor());
  };
  const answer = async (provider: Provider) => collectEvents(provider.stream(call(), never()));

  it("O12: offers tools to the models that its settings name", async () => {
    const provider = await open({ script: [{ text: "Hi" }] }, ["one", "two"]);
    const models = await provider.listModels(never());
    expect(models.map(({ id, supportsTools }) => [id, supportsTools])).to.deep.equal([
      ["one", true],
      ["two", true],
      ["echo", false],
    ]);
  });

  it("plays the script of its settings, turn by turn", async () => {
    const provider = await open({
      script: [
        { toolCalls: [{ name: "think", arguments: { thoughts: "x" } }] },
        [{ reasoning: "So." }, { text: ["Do", "ne."] }],
      ],
    });
    expect((await answer(provider)).events).to.deep.equal([
      { type: "tool_call", index: 0, id: "call_1_1", name: "think", arguments: '{"thoughts":"x"}' },
      { type: "end", reason: "tool_calls" },
    ]);
    expect(textOfEvents((await answer(provider)).events)).to.equal("Done.");
  });

  it("fails a call past the end, or says the last turn again", async () => {
    const script = [{ text: "one" }, { text: "two" }];
    for (const [repeat, expected] of [
      [false, ["one", "two", ""]],
      [true, ["one", "two", "two"]],
    ] as const) {
      const provider = await open({ script, repeat_last: repeat });
      const texts = [await answer(provider), await answer(provider), await answer(provider)].map(
        ({ events }) => textOfEvents(events),
      );
      expect(texts).to.deep.equal(expected);
    }
    expect((await answer(await open({}))).error).to.include({ code: "provider_error" });
  });

  it("lists the models of its settings, and echo, which answers with the last user message", async () => {
    const provider = await open({}, ["small", "large"]);
    expect((await provider.listModels(never())).map(({ id }) => id)).to.deep.equal([
      "small",
      "large",
      "echo",
    ]);
    const messages = [{ role: "user", content: [{ type: "text", text: "Hear me" }] }] as const;
    const { events } = await collectEvents(provider.stream(call({ model: "echo", messages }), never()));
    expect(textOfEvents(events)).to.equal("Hear me");
  });

  const wrong: Readonly<Record<string, JsonObject["script"]>> = {
    "The script is no list of turns.": { text: "x" },
    "Turn 1 of the script": ["x"],
    "Turn 2 of the script": [{ text: "x" }, { txt: "x" }],
    "Turn 1, step 2, of the script": [[{ text: "x" }, { delayMs: "1" }]],
  };
  for (const [place, script] of Object.entries(wrong)) {
    it(`refuses ${JSON.stringify(script)} and names the place`, async () => {
      const error = await open({ script: script ?? null }).catch((reason: unknown) => reason);
      expect(error)
        .to.include({ code: "invalid_value", param: "script" })
        .and.have.property("message")
        .that.includes(place);
    });
  }
});

describe("scriptedProvider()", () => {
  it("is a kind that a test plugin can provide, and records its calls", async () => {
    const kind = scriptedProvider([{ text: "Yes." }], { type: "my-model", models: [{ id: "one" }] });
    const plugin = definePlugin({ providers: [kind] });
    const provider = await kind.open(providerSettings(), providerDoor());
    await collectEvents(provider.stream(call({ model: "one" }), never()));
    expect(plugin.providers?.[0]).to.include({ type: "my-model", prefix: "my_model", always: true });
    expect(kind.calls.map(({ model }) => model)).to.deep.equal(["one"]);
  });

  it("shows each call to the turn's expectation, whose failure fails the call", async () => {
    const kind = scriptedProvider([
      { play: { text: "Yes." }, expect: ({ messages }) => expect(messages).to.have.length(2) },
    ]);
    const provider = await kind.open(providerSettings(), providerDoor());
    const { error, events } = await collectEvents(provider.stream(call(), never()));
    expect(events).to.deep.equal([]);
    expect(error).to.have.property("name", "AssertionError");
  });

  it("takes a function of the call and its number", async () => {
    const kind = scriptedProvider(({ model }, index) => ({ text: `${model} ${index}` }));
    const provider = await kind.open(providerSettings(), providerDoor());
    const texts = [];
    for (const model of ["a", "b"])
      texts.push(textOfEvents((await collectEvents(provider.stream(call({ model }), never()))).events));
    expect(texts).to.deep.equal(["a 0", "b 1"]);
  });

  it("waits where the script says so, and ends a wait when it is aborted", async () => {
    const kind = scriptedProvider([[{ text: "a" }, { delayMs: 60_000 }, { text: "b" }]]);
    const provider = await kind.open(providerSettings(), providerDoor());
    const { events, error } = await collectEvents(provider.stream(call(), AbortSignal.timeout(20)));
    expect(textOfEvents(events)).to.equal("a");
    expect(error).to.have.property("name", "TimeoutError");
  });
});
