import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { ModelCall } from "@pergola/sdk";
import {
  collectEvents,
  providerDoor,
  providerSettings,
  temporaryFolder,
  textOfEvents,
} from "@pergola/sdk/testing";
import plugin from "../index.ts";
import { LocalMlx } from "../local-mlx.ts";
import { installSet, writeFakeServer } from "./fake-server.ts";

type Told = Readonly<Record<string, unknown>>;
const set = "mlx-community/Tiny-4bit";
const never = (): AbortSignal => new AbortController().signal;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("the kind `local-mlx`", function () {
  this.timeout(20_000);
  let [folder, programs, told] = ["", "", ""];
  let provider: LocalMlx;
  const open = (fault?: string, server = "", bits = 8): LocalMlx => {
    const values: Readonly<Record<string, string | number>> = {
      "downloads.path": folder,
      "local.server_binary": server,
      "local.kv_bits": bits,
    };
    return new LocalMlx(providerSettings(), providerDoor({ preference: (key) => values[key] }), {
      fault,
      folders: [programs],
    });
  };
  beforeEach(() => {
    [folder, programs] = [temporaryFolder(), temporaryFolder()];
    told = writeFakeServer(programs);
    installSet(folder, set);
    provider = open();
  });
  afterEach(() => provider.close());

  const ask = (content: string, more: Partial<ModelCall> = {}, signal = never()) =>
    collectEvents(
      provider.stream(
        { model: set, messages: [{ role: "user", content }], tools: [], sampling: { maxTokens: 7 }, ...more },
        signal,
      ),
    );
  const tales = (): readonly Told[] =>
    readFileSync(told, "utf8")
      .trim()
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Told);
  const starts = (): readonly Told[] => tales().filter(({ pid }) => pid !== undefined);
  const codeOf = async (promise: Promise<unknown>): Promise<unknown> =>
    promise.catch((error: unknown) => error);

  it("is local, needs no key, and is listed without settings only where it can run", () => {
    const kind = plugin.providers?.[0];
    expect(kind).to.include({ type: "local-mlx", prefix: "mlx", isLocal: true, needsKey: false });
    const here = process.platform === "darwin" && process.arch === "arm64";
    expect(kind?.always).to.equal(here ? "with-models" : undefined);
  });

  it("tells why where MLX cannot run, and where the program is missing", async () => {
    const elsewhere = open("MLX needs macOS on Apple silicon; this is linux on x64.");
    expect(await codeOf(elsewhere.listModels()))
      .to.include({ code: "provider_error" })
      .and.have.property("message")
      .that.includes("needs macOS");
    const bare = open(undefined, "/nowhere/mlx_lm.server");
    expect(await codeOf(bare.listModels()))
      .to.have.property("message")
      .that.includes("pip install mlx-lm");
  });

  it("lists the sets that are installed, and starts nothing for it", async () => {
    mkdirSync(path.join(folder, "a/half"), { recursive: true });
    writeFileSync(path.join(folder, "a/half/config.json"), "{}");
    const [model, ...others] = await provider.listModels();
    expect(others).to.deep.equal([]);
    expect(model).to.deep.include({ id: set, kind: "chat", contextWindow: 40_960, family: "qwen3" });
    expect(model?.file).to.deep.equal({
      path: path.join(folder, set),
      sizeBytes: 1000,
      quantization: "4 bit",
    });
    expect(tales()).to.deep.equal([]);
  });

  it("streams an answer of the server, which is started once, on loopback, offline and without secrets", async () => {
    process.env["PERGOLA_TEST_API_KEY"] = "sk-not-for-models";
    const { events, error } = await ask("Hello");
    await ask("again");
    delete process.env["PERGOLA_TEST_API_KEY"];
    expect(error).to.equal(undefined);
    expect(textOfEvents(events)).to.equal("Grüße 🌿");
    expect(events.filter(({ type }) => type !== "text")).to.deep.equal([
      { type: "reasoning", text: "Hm." },
      { type: "usage", usage: { promptTokens: 9, completionTokens: 4, cachedTokens: 5 } },
      { type: "end", reason: "stop" },
    ]);
    const [start, ...others] = starts();
    expect(others).to.deep.equal([]);
    expect(start).to.include({ model: path.join(folder, set), host: "127.0.0.1" });
    expect(start?.["keys"]).to.include("HF_HUB_OFFLINE").and.not.include("PERGOLA_TEST_API_KEY");
    const { body } = tales().find((tale) => tale["body"] !== undefined) as { readonly body: Told };
    expect(body).to.deep.include({
      model: path.join(folder, set),
      stream: true,
      max_tokens: 7,
      messages: [{ role: "user", content: "Hello" }],
    });
  });

  it("says what it leaves out, and nothing where that changes nothing", async () => {
    const warned = async (sampling: ModelCall["sampling"], more: Partial<ModelCall> = {}) =>
      (await ask("Hello", { sampling, ...more })).events.flatMap((event) =>
        event.type === "warning" ? event.text : [],
      );
    const schema = { type: "json_schema", json_schema: { name: "answer", schema: { type: "object" } } };
    expect(await warned({ responseFormat: schema })).to.deep.equal([
      "response_format was left out: MLX does not take it",
    ]);
    expect(await warned({ responseFormat: { type: "json_object" }, contextSize: 1024 })).to.deep.equal([
      "num_ctx was left out: MLX does not take it",
      "response_format was left out: MLX does not take it",
    ]);
    const tools = [{ name: "look", description: "Looks.", parameters: { type: "object" as const } }];
    expect(await warned({ toolChoice: "required", parallelToolCalls: false }, { tools })).to.deep.equal([
      "tool_choice was left out: MLX does not take it",
      "parallel_tool_calls was left out: MLX does not take it",
    ]);
    const usual = { responseFormat: { type: "text" }, toolChoice: "auto", parallelToolCalls: true };
    expect(await warned({ ...usual, temperature: 1, stop: "x" }, { tools })).to.deep.equal([]);
    expect(await warned({ toolChoice: "none" }, { tools })).to.deep.equal([]);
    const defaultedSampling = ["presencePenalty"] as const;
    expect(await warned({ presencePenalty: 0 }, { defaultedSampling })).to.deep.equal([]);
  });

  it("starts one server for calls that come at once, and the next one when it has ended", async () => {
    const answers = await Promise.all([ask("Hello"), ask("Hello")]);
    expect(answers.map(({ error }) => error)).to.deep.equal([undefined, undefined]);
    expect(starts()).to.have.length(1);
    const first = Number(starts()[0]?.["pid"]);
    const alive: boolean[] = [];
    const watch = (): void => void alive.push(isAlive(first));
    subscribe("child_process", watch);
    try {
      const [, { error }] = await Promise.all([provider.close(), ask("Hello")]);
      expect([error, starts().length, alive]).to.deep.equal([undefined, 2, [false]]);
    } finally {
      unsubscribe("child_process", watch);
    }
  });

  for (const [what, bits, help, expected] of [
    [
      "is told in how many bits to keep what it has read",
      4,
      "[--kv-bits {4,8}] [--kv-group-size N]",
      ["--kv-bits", "4"],
    ],
    ["keeps it whole where that is wished", 16, "[--kv-bits {4,8}]", []],
    ["is not told what it does not know, which would end it", 8, "[--kv-bits-later N]", []],
  ] as const) {
    it(`has a server that ${what}`, async () => {
      told = writeFakeServer(programs, help);
      provider = open(undefined, "", bits);
      expect((await ask("Hello")).error).to.equal(undefined);
      const options = starts()[0]?.["options"] as readonly string[];
      expect(options.slice(2, options.indexOf("--host"))).to.deep.equal(expected);
    });
  }

  it("offers tools and tells calls", async () => {
    const tools = [{ name: "look", description: "Looks.", parameters: { type: "object" as const } }];
    const { events } = await ask("Look!", { tools });
    expect(events.filter(({ type }) => type === "tool_call")).to.deep.equal([
      { type: "tool_call", index: 0, id: "c1", name: "look", arguments: "{}" },
    ]);
    expect(events.at(-1)).to.deep.equal({ type: "end", reason: "tool_calls" });
  });

  it("ends at once when it is aborted, and the server sees it", async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error("gone")), 4000).unref();
    const events = provider.stream(
      { model: set, messages: [{ role: "user", content: "hang" }], tools: [], sampling: {} },
      controller.signal,
    );
    await events.next();
    const begun = performance.now();
    controller.abort(new Error("gone"));
    const rest = await collectEvents(events);
    expect([rest.events, (rest.error as Error).message, performance.now() - begun < 1000]).to.deep.equal([
      [],
      "gone",
      true,
    ]);
    for (let left = 20; left > 0 && tales().at(-1)?.["left"] !== true; left--)
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect(tales().at(-1)).to.deep.equal({ left: true });
  });

  it("tells a refusal, a crash in the middle, and a set that the server cannot load; then goes on", async () => {
    expect((await ask("refuse")).error).to.include({ code: "provider_rejected" });
    expect((await ask("crash")).error).to.include({ code: "provider_error" });
    expect((await ask("Hello")).error).to.equal(undefined);
    expect(starts()).to.have.length(2);
    installSet(folder, "x/broken");
    const { error } = await ask("Hello", { model: "x/broken" });
    expect((error as Error).message).to.include(
      "ended at its start: ValueError: Model type nothing not supported.",
    );
  });

  it("ends with the provider, and a removed set with its folder", async () => {
    await ask("Hello");
    const pid = Number(starts()[0]?.["pid"]);
    expect(isAlive(pid)).to.equal(true);
    await provider.remove(set);
    for (let left = 20; left > 0 && isAlive(pid); left--)
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect([isAlive(pid), existsSync(path.join(folder, "mlx-community")), existsSync(folder)]).to.deep.equal([
      false,
      false,
      true,
    ]);
    expect((await ask("Hello")).error).to.include({ code: "model_not_found" });
    expect(await codeOf(provider.remove("../x"))).to.include({ code: "model_not_found" });
  });
});
