import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { AppError } from "@pergola/sdk";
import { type ModelCall } from "@pergola/sdk";
import { describeProvider } from "@pergola/sdk/testing";
import plugin from "../index.ts";
import { paint, wait } from "./offered-tools.ts";
import {
  callOf,
  callsOf,
  isAlive,
  never,
  openBench,
  textOf,
  tiny,
  until,
  usageOf,
  type Bench,
} from "./support.ts";
import { install } from "./tiny-model.ts";

const asJson = (schema: object) =>
  ({ type: "json_schema", json_schema: { name: "answer", schema } }) as never;
const yesOrNo = asJson({ type: "object", properties: { yes: { type: "boolean" } }, required: ["yes"] });

describe("the kind `local-llama`", function () {
  this.timeout(30_000);
  let bench: Bench;
  before(() => {
    bench = openBench({ preferences: { "local.parallel_slots": 2 } });
  });
  after(() => bench.close());

  const open = async () => ({
    provider: {
      listModels: (signal: AbortSignal) => bench.provider.listModels(signal),
      stream: (call: ModelCall, signal: AbortSignal) =>
        bench.provider.stream(
          callOf({ ...call, sampling: { responseFormat: yesOrNo, maxTokens: 400 } }),
          signal,
        ),
    },
  });
  describeProvider("a local model", open, { model: tiny, plays: [] });

  it("is local, needs no key, and is listed as soon as a model is installed", () => {
    expect(plugin.providers?.[0]).to.include({
      type: "local-llama",
      prefix: "llama",
      isLocal: true,
      needsKey: false,
      always: "with-models",
    });
  });

  it("lists what is installed with its own facts and the context it is loaded with, without loading it", async () => {
    const before = bench.pids.length;
    const [model, ...others] = await bench.provider.listModels(never());
    expect(others).to.deep.equal([]);
    expect(model).to.deep.include({
      id: tiny,
      kind: "chat",
      contextWindow: 4096,
      supportsTools: true,
      supportsVision: false,
      family: "llama",
    });
    expect(model?.file).to.include({ path: path.join(bench.folder, `${tiny}.gguf`), quantization: "F32" });
    expect(bench.pids).to.have.length(before);
  });

  it("is listed as one that thinks where its template knows of thoughts", async () => {
    const thinking = "tests/other/thinks";
    install(bench.folder, thinking, { template: "{% if enable_thinking %}<think>{% endif %}" });
    const models = await bench.provider.listModels(never());
    await bench.provider.remove(thinking);
    expect(models.map(({ id, supportsThinking }) => [id, supportsThinking])).to.deep.equal([
      [thinking, true],
      [tiny, false],
    ]);
  });

  it("streams an answer with true usage, and the same answer to the same call", async () => {
    const [first, second] = [await bench.ask(), await bench.ask()];
    expect(first.error).to.equal(undefined);
    expect(first.events.filter(({ type }) => type === "text").length).to.be.above(5);
    expect(textOf(first.events)).to.equal(textOf(second.events)).and.not.equal("");
    expect(usageOf(second.events)).to.deep.equal({
      promptTokens: 33,
      completionTokens: 40,
      cachedTokens: 32,
    });
    expect(first.events.at(-1)).to.deep.equal({ type: "end", reason: "length" });
    expect(bench.pids, "loaded once").to.have.length(1);
  });

  it("ends with `stop` where the model ends its answer", async () => {
    const { events } = await bench.ask({ sampling: { responseFormat: yesOrNo, maxTokens: 400 } });
    expect(JSON.parse(textOf(events))).to.have.all.keys("yes");
    expect(events.at(-1)).to.deep.equal({ type: "end", reason: "stop" });
  });

  it("writes JSON that a schema admits, optional properties and unions included", async () => {
    const isText = (value: unknown): boolean => typeof value === "string" && value.length <= 3;
    const shapes: readonly (readonly [object, (value: Readonly<Record<string, unknown>>) => boolean])[] = [
      [
        { type: "object", properties: { 'a"b': { const: 'x"y' } }, required: ['a"b'] },
        (value) => value['a"b'] === 'x"y',
      ],
      [
        { type: "object", properties: { a: { type: "boolean" }, b: { type: "null" } } },
        (value) => Object.keys(value).every((key) => "ab".includes(key)),
      ],
      [
        { type: "object", properties: { a: { type: ["boolean", "null"] } }, required: ["a"] },
        ({ a }) => a === null || typeof a === "boolean",
      ],
      [
        { type: "object", properties: { a: { anyOf: [{ enum: [1, 2] }, { const: "s" }] } }, required: ["a"] },
        ({ a }) => [1, 2, "s"].includes(a as 1),
      ],
      [
        { type: "object", properties: { a: { type: "string", maxLength: 3 } }, required: ["a"] },
        ({ a }) => isText(a),
      ],
      [
        {
          type: "object",
          properties: { l: { type: "array", items: { enum: ["x"] }, minItems: 1 } },
          required: ["l"],
        },
        ({ l }) => Array.isArray(l) && l.length > 0 && l.every((each) => each === "x"),
      ],
      [
        {
          type: "object",
          properties: {
            o: { type: "object", properties: { p: { enum: [true] } }, required: ["p"] },
            q: { enum: [0] },
          },
          required: ["q", "o"],
        },
        ({ o, q }) => (o as { readonly p?: unknown }).p === true && q === 0,
      ],
    ];
    for (const [schema, holds] of shapes) {
      for (const seed of [1, 2, 3]) {
        const { events } = await bench.ask({
          sampling: { responseFormat: asJson(schema), temperature: 1, seed, maxTokens: 1500 },
        });
        const value = JSON.parse(textOf(events)) as Readonly<Record<string, unknown>>;
        expect(holds(value), `${JSON.stringify(schema)}: ${textOf(events)}`).to.equal(true);
      }
    }
  });

  it("ends before a stop word", async () => {
    const { events } = await bench.ask({
      sampling: { responseFormat: yesOrNo, maxTokens: 400, stop: '"yes"' },
    });
    expect(textOf(events).trim()).to.equal("{");
    expect(events.at(-1)).to.deep.equal({ type: "end", reason: "stop" });
  });

  describe("tools", () => {
    it("are called where a call must come: one of them by its name, with arguments that its schema admits", async () => {
      for (const seed of [1, 2, 3, 4, 5, 6]) {
        const { events } = await bench.ask({
          tools: [paint, wait],
          sampling: { toolChoice: "required", temperature: 1, seed, maxTokens: 600 },
        });
        const [call, ...others] = callsOf(events);
        expect(others).to.deep.equal([]);
        if (call?.name === "paint")
          expect((call.arguments as { color: string }).color).to.be.oneOf(["red", "green"]);
        else expect(call?.name).to.equal("wait");
        expect(Object.keys(call?.arguments as object)).to.satisfy((keys: string[]) =>
          keys.every((key) => /^(color|coats|note|long)$/.test(key)),
        );
        expect(textOf(events)).to.equal("");
        expect(events.at(-1)).to.deep.equal({ type: "end", reason: "tool_calls" });
      }
    });

    it("are called by the name that the call chooses", async () => {
      const toolChoice = { type: "function", function: { name: "wait" } };
      const { events } = await bench.ask({
        tools: [paint, wait],
        sampling: { toolChoice, temperature: 1, maxTokens: 600 },
      });
      expect(callsOf(events).map(({ name }) => name)).to.deep.equal(["wait"]);
    });

    it("are not called where no call may come", async () => {
      const { events } = await bench.ask({ tools: [paint], sampling: { toolChoice: "none" } });
      expect([callsOf(events), events.at(-1)]).to.deep.equal([[], { type: "end", reason: "length" }]);
    });
  });

  describe("what was read before", () => {
    it("is not read again by the next turn of a conversation, though another one came between", async () => {
      const ask = (messages: readonly object[]) =>
        bench.ask({ messages: messages as never, sampling: { responseFormat: yesOrNo, maxTokens: 400 } });
      const first = { role: "user", content: `A long story. ${"It rains. ".repeat(60)}` };
      const one = await ask([first]);
      await ask([{ role: "user", content: "Something else." }]);
      const answer = { role: "assistant", content: textOf(one.events) };
      const two = await ask([first, answer, { role: "user", content: "And then?" }]);
      const [before, now] = [usageOf(one.events)!, usageOf(two.events)!];
      expect(before.promptTokens).to.be.above(600);
      const fresh = now.promptTokens - (now.cachedTokens ?? 0);
      expect(fresh, "the new message and what encloses it").to.be.within(1, 60);
      expect(now.promptTokens).to.be.above(before.promptTokens + before.completionTokens);
    });
  });

  it("writes two answers at the same time", async () => {
    const order: string[] = [];
    const read = async (name: string): Promise<void> => {
      for await (const { type } of bench.provider.stream(
        callOf({ sampling: { maxTokens: 30 }, messages: [{ role: "user", content: name }] }),
        never(),
      ))
        if (type === "text") order.push(name);
    };
    await Promise.all([read("a"), read("b")]);
    expect(order.indexOf("b"), order.join("")).to.be.below(order.lastIndexOf("a"));
    expect(order.indexOf("a")).to.be.below(order.lastIndexOf("b"));
  });

  it("refuses messages that do not fit, with the numbers", async () => {
    const { events, error } = await bench.ask({ messages: [{ role: "user", content: "x ".repeat(3000) }] });
    expect(events).to.deep.equal([]);
    expect(error).to.include({ code: "context_length_exceeded" });
    expect((error as AppError).details).to.deep.equal({ promptTokens: 6028, contextSize: 4096 });
    const huge = await bench.ask({ messages: [{ role: "user", content: "x".repeat(2_000_000) }] });
    expect(huge.error).to.include({ code: "context_length_exceeded" });
  });

  it("never writes beyond its context, whatever it is allowed to", async () => {
    const { events } = await bench.ask({
      messages: [{ role: "user", content: "x".repeat(4000) }],
      sampling: { maxTokens: 100_000 },
    });
    const { promptTokens, completionTokens } = usageOf(events)!;
    expect(promptTokens + completionTokens).to.be.at.most(4096);
    expect(events.at(-1)?.type).to.equal("end");
  });

  it("reads a caller's own body", async () => {
    const raw = {
      messages: [{ role: "user", content: [{ type: "text", text: "Hello" }] }],
      max_tokens: 3,
      temperature: 0,
    };
    const { events } = await bench.ask({ messages: [], raw });
    expect(usageOf(events)).to.include({ promptTokens: 33, completionTokens: 3 });
  });

  it("says that it sees no pictures", async () => {
    const content = [{ type: "image_url" as const, image_url: { url: "data:image/png;base64,AA==" } }];
    const { events } = await bench.ask({ messages: [{ role: "user", content }], sampling: { maxTokens: 2 } });
    expect(events[0]).to.deep.equal({
      type: "warning",
      text: "the model reads no pictures; they were left out",
    });
  });

  it("makes vectors of unit length that are the same for the same text", async () => {
    const [one, two, same] = await bench.provider.embed(tiny, ["Grüße", "rain", "Grüße"], never());
    expect(one).to.have.length(64);
    expect(Math.hypot(...one!)).to.be.closeTo(1, 1e-5);
    expect([...same!]).to.deep.equal([...one!]);
    expect([...two!]).to.not.deep.equal([...one!]);
  });

  it("is loaded anew where its file was exchanged, and removed with its files, though it is loaded", async () => {
    const [gone, folder] = ["tests/other/gone", path.join(bench.folder, "tests/other")];
    install(bench.folder, gone, { seed: 3 });
    const first = await bench.ask({ model: gone });
    rmSync(folder, { recursive: true });
    install(bench.folder, gone, { seed: 4, context: 2048 });
    const second = await bench.ask({ model: gone });
    expect(textOf(second.events)).to.not.equal(textOf(first.events));
    await bench.provider.remove(gone);
    expect([existsSync(folder), existsSync(path.dirname(folder))]).to.deep.equal([false, true]);
    expect((await bench.ask({ model: gone })).error).to.include({ code: "model_not_found" });
    await until(() => bench.pids.slice(1).every((pid) => !isAlive(pid)), 2000, "ending its processes");
  });

  it("does not know a model to be removed by a path", async () => {
    for (const name of ["../outside", "tests/tiny", "", `${tiny}.gguf`]) {
      const error = await bench.provider.remove(name).catch((e: unknown) => e);
      expect(error, name).to.include({ code: "model_not_found" });
    }
  });
});
