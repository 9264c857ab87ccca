import { gzipSync } from "node:zlib";
import { expect } from "chai";
import {
  chatChunk,
  chatReply,
  cutReply,
  doneFrame,
  frame,
  jsonReply,
  mockProviderServer,
  type MockProviderServer,
  type MockReply,
} from "@pergola/sdk/testing";
import { answerTo, ask, open, type Answer } from "./support.ts";

const hello = frame(chatChunk({ content: "Hello" }));
const stop = frame(chatChunk({}, "stop"));
const whole = chatReply({ text: "Hello" });

describe("faults of a provider (F9)", () => {
  let server: MockProviderServer;
  beforeEach(async () => {
    server = await mockProviderServer();
  });
  afterEach(() => server.close());

  async function answered(reply: MockReply): Promise<Answer> {
    server.play(reply);
    return ask(await open("custom", { baseUrl: server.baseUrl, name: "Vendor" }));
  }

  it("keeps what came before a reset, and tells that it is not all", async () => {
    const { text, error, last } = await answered({ body: [hello, { delayMs: 5 }, { reset: true }] });
    expect({ text, last: last?.type }).to.deep.equal({ text: "Hello", last: "text" });
    expect(error).to.include({ code: "provider_error" }).and.have.nested.property("details.retryable", true);
  });

  it("tells a reset before the headers as a connection failure, which may be tried again", async () => {
    const { error } = await answered({ body: [{ flush: true }, { reset: true }] });
    expect(error).to.include({ code: "provider_error" }).and.have.nested.property("details.retryable", true);
  });

  it("tells half a chunk as a broken answer", async () => {
    const { text, error } = await answered(cutReply({ body: [hello, hello] }, hello.length + 20));
    expect(text).to.equal("Hello");
    expect(error).to.include({ code: "provider_error" });
  });

  it("takes an answer without [DONE] whose end was told", async () => {
    const { text, last, error } = await answered({ body: [hello, stop] });
    expect({ text, last, error }).to.deep.equal({
      text: "Hello",
      last: { type: "end", reason: "stop" },
      error: undefined,
    });
  });

  it("takes an answer with [DONE] whose reason was not told", async () => {
    expect((await answered({ body: [hello, doneFrame] })).last).to.deep.equal({
      type: "end",
      reason: "stop",
    });
  });

  it("takes an answer whose connection is reset after its end was told", async () => {
    expect((await answered({ body: [hello, stop, { delayMs: 5 }, { reset: true }] })).last).to.deep.equal({
      type: "end",
      reason: "stop",
    });
  });

  for (const [what, body] of Object.entries({
    "nothing at all": [],
    "half a text": [hello],
    "comments alone": [": wait\n\n", ": wait\n\n"],
  })) {
    it(`calls an answer of ${what} ended early`, async () => {
      const { error, last } = await answered({ body });
      expect(error).to.include({
        code: "provider_error",
        message: "Vendor did not finish: stream ended early",
      });
      expect(last?.type).to.not.equal("end");
    });
  }

  it("passes over data that is no chunk, and says so once", async () => {
    const { text, warnings, last } = await answered({
      body: ["data: ping\n\n", hello, "data: keep-alive\n\n", "garbage\n", "data: 7\n\n", stop],
    });
    expect({ text, last }).to.deep.equal({ text: "Hello", last: { type: "end", reason: "stop" } });
    expect(warnings).to.have.length(1);
  });

  it("does not pass over a damaged chunk, whose text would be lost unseen", async () => {
    const { text, error } = await answered({
      body: [hello, 'data: {"choices":[{"delta":{"conte\n\n', hello, stop],
    });
    expect(text).to.equal("Hello");
    expect(error).to.include({ code: "provider_error" });
  });

  it("gives up on a line of more than 4 MiB", async () => {
    const mebibyte = "x".repeat(1024 * 1024);
    const { error } = await answered({
      body: ['data: {"choices":[{"delta":{"content":"', ...Array<string>(20).fill(mebibyte), stop],
    });
    expect(error).to.include({ code: "provider_error", message: "Vendor sent a line of more than 4 MiB" });
  });

  it("takes a JSON document in place of a stream", async () => {
    const message = {
      role: "assistant",
      content: "Hello",
      tool_calls: [{ id: "a", type: "function", function: { name: "t", arguments: "{}" } }],
    };
    const answer = {
      object: "chat.completion",
      choices: [{ message, finish_reason: "tool_calls" }],
      usage: { prompt_tokens: 3, completion_tokens: 2 },
    };
    const { text, calls, events, last } = await answered({
      headers: { "content-type": "application/json" },
      body: [JSON.stringify(answer, null, 2)],
    });
    expect(text).to.equal("Hello");
    expect(calls).to.deep.equal([{ id: "a", name: "t", arguments: "{}" }]);
    expect(events).to.deep.include({ type: "usage", usage: { promptTokens: 3, completionTokens: 2 } });
    expect(last).to.deep.equal({ type: "end", reason: "tool_calls" });
  });

  it("takes a stream under a wrong content type", async () => {
    expect((await answered({ ...whole, headers: { "content-type": "text/plain" } })).text).to.equal("Hello");
  });

  it("tells a web page under status 200 as a failure", async () => {
    const { error } = await answered({
      headers: { "content-type": "text/html" },
      body: ["<html>\n<body>Sign in: please</body>\n</html>"],
    });
    expect(error).to.include({
      code: "provider_error",
      message: "Vendor did not answer with an event stream: Sign in: please",
    });
  });

  it("tells bytes that are no text as a failure", async () => {
    const { error } = await answered({
      headers: { "content-encoding": "gzip" },
      body: [gzipSync("x".repeat(1_000_000))],
    });
    expect(error).to.include({ code: "provider_error" });
  });

  const inStream: Readonly<Record<string, readonly [data: object, code: string]>> = {
    "a status as its code": [{ error: { code: 429, message: "slow down" } }, "provider_rate_limited"],
    "a type": [{ error: { type: "overloaded_error", message: "busy" } }, "provider_error"],
    "a context overflow": [
      { error: { code: "context_length_exceeded", message: "too long" } },
      "context_length_exceeded",
    ],
    "a refused key": [{ error: { type: "authentication_error", message: "who?" } }, "provider_auth_failed"],
    "nothing but words": [{ error: "it broke" }, "provider_error"],
    "a status message of MiniMax": [
      { base_resp: { status_code: 1002, status_msg: "rate limit" } },
      "provider_rate_limited",
    ],
    "a reason that is a failure": [chatChunk({}, "error"), "provider_error"],
  };
  for (const [what, [data, code]] of Object.entries(inStream)) {
    it(`tells an error in a stream by ${what}`, async () => {
      const { text, error } = await answered({ body: [hello, frame(data), stop, doneFrame] });
      expect(text).to.equal("Hello");
      expect(error).to.include({ code });
    });
  }

  it("tells an error under status 200 that comes as a JSON document", async () => {
    expect((await answered(jsonReply({ error: { code: 401, message: "no" } }))).error).to.include({
      code: "provider_auth_failed",
    });
  });

  it("tells an event named error, and an error line of old llama servers", async () => {
    for (const line of [
      'event: error\ndata: {"message":"out of memory","code":503}\n\n',
      'error: {"message":"out of memory","code":503}\n\n',
    ]) {
      const { text, error } = await answered({ body: [hello, line] });
      expect(text).to.equal("Hello");
      expect(error).to.have.property("message", "Vendor answered 503: out of memory");
    }
  });

  it("does not wait for ever for an answer of which only comments come", async () => {
    let now = 0;
    const provider = await open(
      "custom",
      { baseUrl: server.baseUrl, timeoutSeconds: 300 },
      { clock: { now: () => (now += 100_000) } },
    );
    server.play({
      body: [hello, ...Array.from({ length: 50 }, () => [": wait\n\n", { delayMs: 1 }]).flat()],
    });
    const { text, error } = await ask(provider);
    expect(text).to.equal("Hello");
    expect(error).to.include({ code: "provider_timeout" });
  });

  it("does not wait for ever for an answer that comes byte by byte", async () => {
    let now = 0;
    const provider = await open(
      "custom",
      { baseUrl: server.baseUrl, timeoutSeconds: 300 },
      { clock: { now: () => (now += 10_000) } },
    );
    server.play({
      body: hello
        .repeat(2)
        .split("")
        .flatMap((byte) => [byte, { delayMs: 1 }]),
    });
    expect((await ask(provider)).error).to.include({ code: "provider_timeout" });
  });

  it("survives nesting without end", async () => {
    const { error } = await answerTo(`data: ${'{"choices":['.repeat(200_000)}\n\n`);
    expect(error).to.include({ code: "provider_error" });
  });
});
