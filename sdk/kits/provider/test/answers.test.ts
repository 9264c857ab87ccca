import { mkdirSync, existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { providerDoor, temporaryFolder } from "@pergola/sdk/testing";
import {
  buildUsage,
  closingEvents,
  readCount,
  errorStatus,
  errorText,
  finishReasonOf,
  isChatFailure,
  modelsFolder,
  positiveInteger,
  readChatFailure,
  readChatUsage,
  removeEmptyFolders,
  ToolCallDeltas,
  unitVector,
  untilAborted,
  valueAt,
} from "../index.ts";
import { failureOf, never } from "./support.ts";

describe("values of an answer", () => {
  it("are counts, or none", () => {
    expect([0, 1.6, -1, Number.NaN, "3", null].map(readCount)).to.deep.equal([
      0,
      2,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect([1, 0, 1.5, "1"].map(positiveInteger)).to.deep.equal([1, undefined, undefined, undefined]);
  });

  it("are found by their path", () => {
    expect(valueAt({ a: { b: 1 } }, "a.b")).to.equal(1);
    expect(valueAt({ a: [1] }, "a.b.c")).to.equal(undefined);
  });

  it("are vectors of unit length, or none", () => {
    expect(unitVector([0, 5])).to.deep.equal(Float32Array.of(0, 1));
    for (const value of [[0, 0], [], "x", ["x"], [Infinity], undefined])
      expect(unitVector(value)).to.equal(undefined);
  });
});

describe("the end of an answer", () => {
  it("is what the vendor says only where it was cut or filtered", () => {
    expect([finishReasonOf("length", 1), finishReasonOf("content_filter", 1)]).to.deep.equal([
      "length",
      "content_filter",
    ]);
    expect([finishReasonOf("stop", 1), finishReasonOf("tool_calls", 0)]).to.deep.equal([
      "tool_calls",
      "stop",
    ]);
    expect([finishReasonOf(undefined, 1), finishReasonOf(undefined, 0)]).to.deep.equal([
      "tool_calls",
      "stop",
    ]);
  });

  it("has usage where something was counted", () => {
    const none = { promptTokens: undefined, completionTokens: undefined };
    const counts = { ...none, cachedTokens: 1, reasoningTokens: undefined };
    expect(buildUsage(counts)).to.equal(undefined);
    const usage = buildUsage({ ...counts, completionTokens: 2 });
    expect(usage).to.deep.equal({ promptTokens: 0, completionTokens: 2, cachedTokens: 1 });
    expect(closingEvents(usage, "stop")).to.deep.equal([
      { type: "usage", usage },
      { type: "end", reason: "stop" },
    ]);
    expect(closingEvents(undefined, "length")).to.deep.equal([{ type: "end", reason: "length" }]);
  });

  it("names the model that answered, and never the folder of its file", () => {
    const nameIn = (model?: string) => closingEvents(undefined, "stop", model)[0];
    const names = {
      "gpt-5-2026-01": "gpt-5-2026-01",
      "openai/gpt-5": "openai/gpt-5",
      "/home/ada/models/small.gguf": "small.gguf",
      "/home/ada/models/org/set/": "set",
      "~/models/small.gguf": "small.gguf",
      "C:\\Users\\Ada\\small.gguf": "small.gguf",
      ["x".repeat(5000)]: "x".repeat(256),
    };
    for (const [model, name] of Object.entries(names))
      expect(nameIn(model)).to.deep.equal({ type: "end", reason: "stop", model: name });
    for (const none of ["", "/", undefined])
      expect(nameIn(none)).to.deep.equal({ type: "end", reason: "stop" });
  });

  for (const usage of [
    {
      prompt_tokens: 9,
      completion_tokens: 5,
      prompt_tokens_details: { cached_tokens: 3 },
      completion_tokens_details: { reasoning_tokens: 2 },
    },
    {
      input_tokens: 9,
      output_tokens: 5,
      input_tokens_details: { cached_tokens: 3 },
      output_tokens_details: { reasoning_tokens: 2 },
    },
    { prompt_tokens: 9, completion_tokens: 5, prompt_cache_hit_tokens: 3, reasoning_tokens: 2 },
    { prompt_tokens: 9, completion_tokens: 5, cached_tokens: 3, reasoning_tokens: 2 },
  ]) {
    it(`counts ${Object.keys(usage).join(", ")}`, () => {
      const expected = { promptTokens: 9, completionTokens: 5, cachedTokens: 3, reasoningTokens: 2 };
      expect(readChatUsage(usage)).to.deep.equal(expected);
    });
  }
});

describe("an error of a vendor", () => {
  const errors: readonly (readonly [body: object, status: number, message: string])[] = [
    [{ error: "busy", status: 503 }, 503, "busy"],
    [{ error: { message: "no", code: "invalid_api_key" } }, 401, "no (invalid_api_key)"],
    [{ error: { message: "too fast", type: "rate_limit_error" } }, 429, "too fast"],
    [{ error: { message: "no 404", code: "404" } }, 404, "no 404"],
    [{ base_resp: { status_code: 1008, status_msg: "no money" } }, 402, "no money"],
    [{ detail: "wrong" }, 500, "wrong"],
    [{ error: { a: 1 } }, 500, '{"a":1}'],
  ];
  for (const [body, status, message] of errors) {
    it(`is read: ${JSON.stringify(body)}`, () => {
      expect(readChatFailure({ ...body })).to.deep.equal({ status, message });
    });
  }

  it("is told from a part of an answer", () => {
    const failures = [{ error: "x" }, { error: {} }, { base_resp: { status_code: 1000 } }];
    const parts = [{}, { error: null }, { error: "" }, { base_resp: { status_code: 0 } }];
    expect([...failures, ...parts].map((part) => isChatFailure(part))).to.deep.equal([
      ...failures.map(() => true),
      ...parts.map(() => false),
    ]);
  });

  it("has a text and a status", () => {
    expect(errorText({ detail: "d", message: "" }, "message", "detail")).to.equal("d");
    expect(errorText({ x: "y".repeat(9000) }, "message")).to.have.length(4096);
    expect(["429", 500, 399, 600, 450.5, "x", undefined].map(errorStatus)).to.deep.equal([
      429,
      500,
      ...Array.from({ length: 5 }, () => undefined),
    ]);
  });
});

describe("deltas of calls", () => {
  const eventsOf = (...deltas: readonly object[]) => {
    const calls = new ToolCallDeltas();
    return deltas.map((delta) => calls.take(delta)).map((event) => event && { ...event, type: undefined });
  };
  const delta = (more: object, name?: string, args?: unknown) => ({
    ...more,
    function: { name, arguments: args },
  });

  it("belong to the call of their index", () => {
    expect(
      eventsOf(delta({ index: 3, id: "a" }, "f"), delta({ index: 3 }, undefined, "{}"), { index: 3 }),
    ).to.deep.equal([
      { type: undefined, index: 0, id: "a", name: "f" },
      { type: undefined, index: 0, arguments: "{}" },
      undefined,
    ]);
  });

  it("without an index belong to the call of their id, or to the last one", () => {
    const events = eventsOf(
      delta({ id: "a" }, "f"),
      delta({ id: "b" }, "g"),
      delta({ id: "a" }, undefined, "1"),
      delta({}, undefined, "2"),
    );
    expect(events.map((event) => event?.index)).to.deep.equal([0, 1, 0, 1]);
  });

  it("under one index begin another call with another name or id, or after whole arguments", () => {
    const at = { index: 0 };
    expect(eventsOf(delta(at, "f"), delta(at, "g")).map((event) => event?.index)).to.deep.equal([0, 1]);
    const ids = eventsOf(delta({ ...at, id: "a" }, "f"), delta({ ...at, id: "b" }, "f"));
    expect(ids.map((event) => event?.index)).to.deep.equal([0, 1]);
    const repeated = eventsOf(delta(at, "f", "{"), delta(at, "f", "}"), delta(at, "f", "{}"));
    expect(repeated.map((event) => event?.index)).to.deep.equal([0, 0, 1]);
  });

  it("may hold arguments as an object, or be no delta", () => {
    expect(eventsOf(delta({ id: "a" }, "f", { b: 1 }))[0]).to.include({ arguments: '{"b":1}' });
    expect([null, "x", []].map((value) => new ToolCallDeltas().take(value))).to.deep.equal([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe("waiting for shared work", () => {
  it("ends with the work, or with the signal", async () => {
    expect(await untilAborted(Promise.resolve(7), never())).to.equal(7);
    expect(await failureOf(untilAborted(Promise.reject(new Error("broken")), never()))).to.have.property(
      "message",
      "broken",
    );
    const leaving = new AbortController();
    const waiting = failureOf(untilAborted(new Promise(() => undefined), leaving.signal));
    leaving.abort(new Error("gone"));
    expect(await waiting).to.have.property("message", "gone");
    const late = untilAborted(Promise.resolve(7), leaving.signal);
    expect(await failureOf(late)).to.have.property("message", "gone");
  });
});

describe("the folder of models", () => {
  it("is downloads.path, or below the data", () => {
    const door = (folder: unknown) =>
      providerDoor({ dataDirectory: "/data", preference: () => folder as string });
    expect(modelsFolder(door("/models"))).to.equal("/models");
    expect([modelsFolder(door("")), modelsFolder(door(undefined))]).to.deep.equal([
      "/data/models",
      "/data/models",
    ]);
  });

  it("loses the folders that are empty, and stays itself", async () => {
    const root = temporaryFolder();
    mkdirSync(path.join(root, "a/b/c"), { recursive: true });
    writeFileSync(path.join(root, "a/file"), "");
    await removeEmptyFolders(path.join(root, "a/b/c"), root);
    expect([existsSync(path.join(root, "a/b")), existsSync(path.join(root, "a"))]).to.deep.equal([
      false,
      true,
    ]);
    mkdirSync(path.join(root, "d"));
    await removeEmptyFolders(path.join(root, "d"), root);
    expect([existsSync(path.join(root, "d")), existsSync(root)]).to.deep.equal([false, true]);
    await removeEmptyFolders(temporaryFolder(), root);
    await removeEmptyFolders(root, root);
    expect(existsSync(root)).to.equal(true);
  });
});
