import { expect } from "chai";
import type { ModelCall, Provider } from "@pergola/sdk";
import {
  collectEvents,
  describeProvider,
  providerDoor,
  providerSettings,
  textOfEvents,
} from "@pergola/sdk/testing";
import plugin from "../index.ts";
import { files } from "./sample-tools.ts";

const never = (): AbortSignal => new AbortController().signal;
const call = (given: Partial<ModelCall> = {}): ModelCall => ({
  model: "guide",
  messages: [{ role: "user", content: "who are you?" }],
  tools: [],
  sampling: {},
  ...given,
});

async function open(): Promise<Provider> {
  const kind = plugin.providers?.[0];
  if (kind === undefined) throw new Error("no kind");
  return kind.open(providerSettings({ type: "embedded" }), providerDoor());
}

describeProvider("the embedded guide", async () => ({ provider: await open() }), {
  model: "guide",
  plays: [],
});

describe("the kind `embedded`", () => {
  let provider: Provider;
  beforeEach(async () => {
    provider = await open();
  });
  afterEach(() => provider.close?.());

  const play = async (given: Partial<ModelCall> = {}) =>
    (await collectEvents(provider.stream(call(given), never()))).events;

  it("is local, needs no key and is always listed", () => {
    expect(plugin.providers?.[0]).to.include({
      type: "embedded",
      prefix: "embedded",
      isLocal: true,
      needsKey: false,
      always: true,
    });
  });

  it("lists the guide and the embedding model", async () => {
    const models = await provider.listModels(never());
    expect(models.map(({ id, kind }) => [id, kind])).to.deep.equal([
      ["guide", "chat"],
      ["minilm", "embedding"],
    ]);
    expect(models[0]).to.include({ contextWindow: 32_768, supportsTools: true });
    expect(models[1]).to.include({ dimensions: 384 });
  });

  it("refuses a model it does not have", async () => {
    const { error } = await collectEvents(provider.stream(call({ model: "oracle" }), never()));
    expect(error).to.have.property("code", "model_not_found");
    expect(
      await provider.embed?.("guide", ["x"], never()).catch((reason: unknown) => reason),
    ).to.have.property("code", "model_not_found");
  });

  it("says openly that it is not a large language model", async () => {
    expect(textOfEvents(await play())).to.include("not a large language model");
  });

  it("streams text in small pieces, then an estimate of four characters a token", async () => {
    const events = await play();
    const pieces = events.filter((event) => event.type === "text");
    expect(pieces.length).to.be.above(10);
    expect(Math.max(...pieces.map(({ text }) => text.length))).to.be.below(60);
    const usage = events.find((event) => event.type === "usage")?.usage;
    expect(usage).to.deep.equal({
      promptTokens: Math.ceil("who are you?".length / 4),
      completionTokens: Math.ceil(textOfEvents(events).length / 4),
    });
  });

  it("gives the same events for the same call, the call's id included", async () => {
    const asked = { tools: [files], messages: [{ role: "user" as const, content: "read README.md" }] };
    const events = await play(asked);
    expect(events).to.deep.equal(await play(asked));
    expect(events[0]).to.deep.include({
      type: "tool_call",
      index: 0,
      name: "file_operations",
      arguments: '{"operation":"read_file","filePath":"README.md"}',
    });
    expect(events.at(-1)).to.deep.equal({ type: "end", reason: "tool_calls" });
  });

  it("keeps to the caller's longest answer and stop words", async () => {
    const short = await play({ sampling: { maxTokens: 5 } });
    expect(textOfEvents(short)).to.have.length(20);
    expect(short.at(-1)).to.deep.equal({ type: "end", reason: "length" });
    expect(textOfEvents(await play({ sampling: { stop: [" guide"] } }))).to.equal("I am the");
  });

  it("makes hashed vectors under a name of their own", async () => {
    const [vector = []] = (await provider.embed?.("hashing", ["some text"], never())) as Float32Array[];
    expect(Math.hypot(...vector)).to.be.closeTo(1, 1e-5);
  });
});
