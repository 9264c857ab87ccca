import { setImmediate, setTimeout } from "node:timers/promises";
import { expect } from "chai";
import type { Hooks, ModelCall, PluginHost, RunContext } from "@pergola/sdk";
import plugin from "../index.ts";
import { memory } from "./scene.ts";

type Handlers = { -readonly [K in keyof Hooks]?: Hooks[K] };

/** The plugin's handlers, on a memory that holds what the test puts into it. */
async function register() {
  const items = [memory({ content: "first" })];
  const handlers: Handlers = {};
  const stages: Record<string, string | undefined> = {};
  const counts = { searches: 0, prepared: 0 };
  const clock = { now: () => Date.parse("2026-11-21T00:00:00Z") };
  const embedder: { made: Promise<void> } = { made: Promise.resolve() };
  const host = {
    tap: (name: keyof Hooks, handler: never, options?: { readonly stage?: string }) => {
      handlers[name] = handler;
      stages[name] = options?.stage;
    },
    services: {
      memory: {
        newest: async ({ kinds = ["memory"] }: { readonly kinds?: readonly string[] }) =>
          kinds.includes("memory") ? items : [],
        prepare: async (): Promise<void> => {
          counts.prepared += 1;
          await embedder.made;
        },
        search: async ({ wordsOnly }: { readonly wordsOnly?: boolean }) => {
          counts.searches += 1;
          if (wordsOnly !== true) await embedder.made;
          const found = wordsOnly === true ? items.filter(({ tags }) => !tags.includes("meant")) : items;
          return found.map((item) => ({ item, similarity: 1 }));
        },
      } as object | undefined,
      preferences: { get: () => 1 },
    },
    log: { warn: () => undefined },
    clock,
  };
  await plugin.register?.(host as unknown as PluginHost);
  const call: ModelCall = {
    model: "m",
    messages: [{ role: "user", content: "Hello" }],
    tools: [],
    sampling: {},
  };
  const used = new Set<string>();
  const told: number[] = [];
  const context = (more: object = {}): RunContext =>
    ({
      runId: "run_1",
      scope: "c1",
      conversation: { id: "c1" },
      model: { contextWindow: 8192 },
      request: { enableMemory: true, messages: call.messages },
      iteration: 1,
      useMemory: ({ id }: { readonly id: string }) => void used.add(id),
      usePart: ({ tokens }: { readonly tokens: number }) => void told.push(tokens),
      ...more,
    }) as unknown as RunContext;
  const sent = async (more?: object, asked = call): Promise<string> =>
    (await handlers.shapeModelCall!(asked, context(more))).messages[0]?.content as string;
  return { items, handlers, stages, counts, host, call, sent, context, embedder, used, told };
}

describe("policy-memory", () => {
  it("comes before the plugins that have no stage, so that what it adds stands before what changes with each call", async () => {
    expect((await register()).stages["shapeModelCall"]).to.equal("early");
  });

  it("says how many tokens its blocks have, those of earlier messages among them", async () => {
    const { sent, told, handlers, call, context } = await register();
    const model = { contextWindow: 100_000 };
    const first = await sent({ model });
    const tokensIn = (text: string): number => Math.ceil(text.slice(text.indexOf("<memory>")).length / 4);
    expect(told).to.deep.equal([tokensIn(first)]);
    const messages = [...call.messages, { role: "user", content: "And more?" } as const];
    const next = await handlers.shapeModelCall!({ ...call, messages }, context({ runId: "run_2", model }));
    const texts = next.messages
      .map(({ content }) => content as string)
      .filter((text) => text.includes("<memory>"));
    expect(texts).to.have.length(2);
    expect(told[1]).to.equal(texts.reduce((sum, text) => sum + tokensIn(text), 0));
  });

  it("looks once a run, also when two calls come at once, and anew for another run or once the run has ended", async () => {
    const { items, handlers, counts, sent } = await register();
    const [first, again] = await Promise.all([sent(), sent()]);
    expect([first, counts.searches]).to.deep.equal([again, 1]);
    items.push(memory({ content: "second" }));
    expect(await sent())
      .to.equal(first)
      .and.not.include("second");
    expect(await sent({ runId: "run_2" })).to.include("second");
    await handlers.runEnded!({ id: "run_1" } as never);
    expect(await sent()).to.include("second");
  });

  it("leaves the call as it is where nothing is wanted, known or sent", async () => {
    const { items, handlers, counts, host, call, sent } = await register();
    expect(await sent({ request: { enableMemory: false } })).to.equal("Hello");
    expect(await sent({}, { ...call, raw: {} })).to.equal("Hello");
    expect(counts.searches).to.equal(0);
    items.length = 0;
    expect(
      await handlers.shapeModelCall!(call, {
        runId: "r",
        scope: "c1",
        conversation: { id: "c1" },
        model: { contextWindow: 1 },
        request: { enableMemory: true },
        usePart: () => undefined,
      } as never),
    ).to.equal(call);
    host.services.memory = undefined;
    expect(await sent({ runId: "run_3" })).to.equal("Hello");
  });

  it("P2m: begins with the run, beside everything else, and once", async () => {
    const { handlers, counts, sent, context } = await register();
    const chat = { system: [], tools: [], sampling: {} };
    expect(await handlers.shapeChat!(chat, context())).to.equal(chat);
    for (let turn = 0; turn < 10; turn++) await setImmediate();
    expect(counts.searches).to.equal(1);
    expect(await sent()).to.include("first");
    expect(counts.searches).to.equal(1);
    await handlers.shapeChat!(
      chat,
      context({ runId: "run_2", request: { enableMemory: false, messages: [] } }),
    );
    await handlers.shapeChat!(chat, context({ runId: "run_3" }));
    const other = [{ role: "user", content: "Another question" }] as const;
    await sent({ runId: "run_3" }, { model: "m", messages: other, tools: [], sampling: {} });
    expect(counts.searches).to.equal(3);
  });

  it("P2m: does not wait for a vector that takes its time: what it finds comes with the next call", async () => {
    const { items, counts, sent, embedder, used } = await register();
    let made = (): void => undefined;
    embedder.made = new Promise((resolve) => (made = resolve));
    items.push(memory({ content: "second", tags: ["meant"] }));
    expect(await sent())
      .to.include("first")
      .and.not.include("second");
    expect(await sent()).to.not.include("second");
    expect(counts.searches).to.equal(1);
    expect([...used]).to.deep.equal([items[0]!.id]);
    const next = sent({ iteration: 2 });
    items.push(memory({ content: "third", updatedAt: "2026-11-22T00:00:00.000Z" }));
    made();
    expect(await next)
      .to.include("first")
      .and.include("second")
      .and.not.include("third");
    expect(await sent({ iteration: 3 })).to.equal(await next);
    expect(counts.searches).to.equal(2);
    expect([...used]).to.deep.equal(items.slice(0, 2).map(({ id }) => id));
  });

  it("P2m: has the vector made while the model answers, once for a question, and not when the run is over", async () => {
    const { handlers, counts, sent } = await register();
    const other = (content: string): ModelCall => ({
      model: "m",
      messages: [{ role: "user", content }],
      tools: [],
      sampling: {},
    });
    await sent({ runId: "run_2" }, other("Over"));
    await handlers.runEnded!({ id: "run_2" } as never);
    await sent();
    expect(counts.prepared).to.equal(0);
    await setTimeout(200);
    expect(counts.prepared).to.equal(1);
    await sent({ runId: "run_3" });
    await setTimeout(200);
    expect(counts.prepared).to.equal(1);
  });
});
