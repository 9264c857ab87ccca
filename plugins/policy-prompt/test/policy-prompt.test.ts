import { expect } from "chai";
import type { Chat, Hooks, ModelCall, RunRecord } from "@pergola/sdk";
import { testClock } from "@pergola/sdk/testing";
import plugin from "../index.ts";
import { preferences, scene } from "./scene.ts";
import { texts } from "./texts.ts";

const taps: Partial<Hooks> = {};
const host = {
  clock: testClock(),
  services: { preferences: preferences(), prompts: texts() },
  tap: (name: keyof Hooks, handler: never) => void (taps[name] = handler),
};

describe("policy-prompt", () => {
  before(() => plugin.register?.(host as never));

  it("puts its prompt before what other plugins say, and leaves tools and sampling alone", async () => {
    const chat: Chat = { system: ["from another plugin"], tools: [], sampling: { temperature: 0.1 } };
    const shaped = await taps.shapeChat?.(chat, scene());
    expect(shaped?.system).to.have.length(2);
    expect(shaped?.system[1]).to.equal("from another plugin");
    expect({ ...shaped, system: chat.system }).to.deep.equal(chat);
  });

  it("puts a run's mini prompts into each of its calls, as they were when it began, and into no other run's", async () => {
    const call: ModelCall = {
      model: "m",
      messages: [{ role: "user", content: "Hi" }],
      tools: [],
      sampling: {},
    };
    const textOf = async (runId: string) =>
      JSON.stringify((await taps.shapeModelCall?.(call, { ...scene(), runId }))?.messages[0]);
    const chat: Chat = { system: [], tools: [], sampling: {} };
    const { prompts } = host.services;
    prompts.mini.asked.length = 0;
    await taps.shapeChat?.(chat, {
      ...scene({ request: { customInstructions: ["haiku"] } }),
      runId: "run_2",
    });
    await taps.shapeChat?.(chat, { ...scene(), runId: "run_3" });
    for (let call = 0; call < 3; call++)
      expect(await textOf("run_2")).to.contain("instruction (haiku): Text of haiku.");
    expect(await textOf("run_3")).to.not.contain("instruction");
    expect(prompts.mini.asked).to.deep.equal(["haiku"]);
    await taps.runEnded?.({ id: "run_2" } as RunRecord);
    expect(await textOf("run_2")).to.not.contain("instruction");
  });

  it("W15: says the same in all calls of a run, in the same place, while it is true enough", async () => {
    const first: ModelCall = {
      model: "m",
      messages: [{ role: "user", content: "Go" }],
      tools: [],
      sampling: {},
    };
    const messages: ModelCall["messages"] = [
      ...first.messages,
      { role: "assistant", content: "Well." },
      { role: "user", content: "Go on." },
    ];
    const later = { ...first, messages };
    const textAt = async (call: ModelCall, iteration: number, at = 0) =>
      (await taps.shapeModelCall?.(call, scene({ iteration })))?.messages[at]?.content;
    const block = await textAt(first, 1);
    host.clock.advance(61_000);
    expect(await textAt(later, 2)).to.equal(block);
    expect(await textAt(later, 3, 2)).to.equal("Go on.");
    expect(await textAt(later, 150), "half of the way").to.contain("iteration: 150 of 300");
    expect(await textAt(later, 151)).to.contain("iteration: 150 of 300");
    expect(await textAt(later, 295), "the last five").to.contain("iteration: 295 of 300");
    host.clock.advance(5 * 60_000 + 1);
    expect(await textAt(later, 296), "no cache has it any more").to.contain("iteration: 296 of 300");
    const cut = { ...later, messages: messages.slice(2) };
    expect(await textAt(cut, 297), "old messages were left out").to.contain("iteration: 297 of 300");
    await taps.runEnded?.({ id: "run_1" } as RunRecord);
  });

  it("W14, W15: keeps everything before the newest user message byte for byte from call to call", async () => {
    const history = [
      { role: "system", content: "prompt" },
      { role: "user", content: "first" },
      { role: "assistant", content: "answer" },
      { role: "user", content: "second" },
    ] as const;
    const call: ModelCall = { model: "m", messages: history, tools: [], sampling: {} };
    const texts = [];
    for (const iteration of [1, 2]) {
      host.clock.advance(3_600_000);
      const shaped = await taps.shapeModelCall?.(call, scene({ iteration }));
      texts.push(JSON.stringify(shaped?.messages.slice(0, 3)));
    }
    expect(texts[0]).to.equal(texts[1]);
    expect(JSON.stringify(call.messages)).to.equal(JSON.stringify(history));
  });
});
