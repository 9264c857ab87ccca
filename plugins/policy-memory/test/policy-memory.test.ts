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
  const counts = { searches: 0 };
  const host = {
    tap: (name: keyof Hooks, handler: never, options?: { readonly stage?: string }) => {
      handlers[name] = handler;
      stages[name] = options?.stage;
    },
    services: {
      memory: {
        newest: async ({ kinds = ["memory"] }: { readonly kinds?: readonly string[] }) =>
          kinds.includes("memory") ? items : [],
        search: async () => ((counts.searches += 1), items.map((item) => ({ item, similarity: 1 }))),
      } as object | undefined,
      preferences: { get: () => 1 },
    },
    log: { warn: () => undefined },
    clock: { now: () => 0 },
  };
  await plugin.register?.(host as unknown as PluginHost);
  const call: ModelCall = {
    model: "m",
    messages: [{ role: "user", content: "Hello" }],
    tools: [],
    sampling: {},
  };
  const context = (more: object = {}): RunContext =>
    ({
      runId: "run_1",
      scope: "c1",
      conversation: { id: "c1" },
      model: { contextWindow: 8192 },
      request: { enableMemory: true },
      ...more,
    }) as RunContext;
  const sent = async (more?: object, asked = call): Promise<string> =>
    (await handlers.shapeModelCall!(asked, context(more))).messages[0]?.content as string;
  return { items, handlers, stages, counts, host, call, sent };
}

describe("policy-memory", () => {
  it("comes before the plugins that have no stage, so that what it adds stands before what changes with each call", async () => {
    expect((await register()).stages["shapeModelCall"]).to.equal("early");
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
      } as never),
    ).to.equal(call);
    host.services.memory = undefined;
    expect(await sent({ runId: "run_3" })).to.equal("Hello");
  });
});
