import { expect } from "chai";
import type { ModelCall, ModelEntry } from "@pergola/sdk";
import { beginAnswer } from "../attempt.ts";
import type { ProviderInstance } from "../provider-instance.ts";

async function sent(asked: ModelCall["sampling"], own: object = {}) {
  let seen: ModelCall | undefined;
  const stream = async function* (call: ModelCall) {
    seen = call;
    yield { type: "end", reason: "stop" };
  };
  const instance = { settings: own, open: async () => ({ stream }) } as unknown as ProviderInstance;
  const entry = { name: "m", maxOutputTokens: 1000, supportsTools: true } as ModelEntry;
  await beginAnswer(
    { instance, entry, facts: {} },
    { messages: [], tools: [], sampling: asked },
    new AbortController().signal,
    () => undefined,
  );
  return { sampling: seen?.sampling, unasked: seen?.defaultedSampling };
}

describe("the sampling of a model call", () => {
  it("has the usual values, of which it says that nobody asked for them", async () => {
    expect(await sent({})).to.deep.equal({
      sampling: { temperature: 0.7, topP: 1, maxTokens: 1000 },
      unasked: ["temperature", "topP"],
    });
  });

  it("is what the provider's settings say, else what the call says, never more than the model puts out", async () => {
    expect(await sent({}, { temperature: 0.2, maxTokens: 300 })).to.deep.equal({
      sampling: { temperature: 0.2, topP: 1, maxTokens: 300 },
      unasked: ["topP"],
    });
    expect(
      await sent({ temperature: 1, topP: 0.5, maxTokens: 5000, seed: 4 }, { temperature: 0.2 }),
    ).to.deep.equal({
      sampling: { temperature: 1, topP: 0.5, maxTokens: 1000, seed: 4 },
      unasked: [],
    });
  });
});
