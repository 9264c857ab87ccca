import { once } from "node:events";
import { gzipSync } from "node:zlib";
import { createServer } from "node:net";
import { expect } from "chai";
import {
  cutReply,
  frame,
  jsonReply,
  mockProviderServer,
  type MockPiece,
  type MockProviderServer,
  type MockReply,
} from "@pergola/sdk/testing";
import { ask, call, chunk, errorBody, key, open, answering, type Answer } from "./support.ts";

const hello = frame(chunk([{ text: "Hello" }]));
const stop = frame(chunk([{ text: "" }], "STOP"));

describe("faults of Gemini (F9)", () => {
  let server: MockProviderServer;
  beforeEach(async () => {
    server = await mockProviderServer();
  });
  afterEach(() => server.close());

  const opened = () => open({ baseUrl: `${server.url}/v1beta`, name: "Vendor" });

  async function answered(reply: MockReply): Promise<Answer> {
    server.play(reply);
    return ask(await opened());
  }

  it("keeps what came before a reset, and tells that it is not all", async () => {
    const { text, error, last } = await answered({ body: [hello, { delayMs: 5 }, { reset: true }] });
    expect({ text, last: last?.type }).to.deep.equal({ text: "Hello", last: "text" });
    expect(error).to.include({ code: "provider_error" });
    expect(error).to.have.nested.property("details.retryable", true);
  });

  it("tells a reset before the headers as a connection failure, which may be tried again", async () => {
    const { error } = await answered({ body: [{ flush: true }, { reset: true }] });
    expect(error).to.include({ code: "provider_error" });
    expect(error).to.have.nested.property("details.retryable", true);
  });

  it("tells half a chunk as a broken answer", async () => {
    const { text, error } = await answered(cutReply({ body: [hello, hello] }, hello.length + 20));
    expect(text).to.equal("Hello");
    expect(error).to.include({ code: "provider_error" });
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
    "[DONE] without an end": [hello, "data: [DONE]\n\n"],
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
      body: [hello, 'data: {"candidates":[{"conte\n\n', hello, stop],
    });
    expect(text).to.equal("Hello");
    expect(error).to.include({ code: "provider_error" });
  });

  it("gives up on a line of more than 4 MiB", async () => {
    const mebibyte = "x".repeat(1024 * 1024);
    const { error } = await answered({
      body: ['data: {"candidates":[{"content":"', ...Array<string>(20).fill(mebibyte), stop],
    });
    expect(error).to.include({ code: "provider_error", message: "Vendor sent a line of more than 4 MiB" });
  });

  it("does not wait for ever where only comments come", async () => {
    let now = 0;
    const fetch = answering(Array.from({ length: 20 }, () => ": wait\n\n"));
    const provider = await open({ timeoutSeconds: 10 }, { fetch, clock: { now: () => (now += 1000) } });
    expect((await ask(provider)).error).to.include({ code: "provider_timeout" });
  });

  it("tells a web page, and bytes that are no text, as failures", async () => {
    const page = await answered({
      headers: { "content-type": "text/html" },
      body: ["<html>\n<body>Sign in: please</body>\n</html>"],
    });
    expect(page.error).to.include({
      code: "provider_error",
      message: "Vendor did not answer with an event stream: Sign in: please",
    });
    const bomb = await answered({
      headers: { "content-encoding": "gzip" },
      body: [gzipSync("x".repeat(1_000_000))],
    });
    expect(bomb.error).to.include({ code: "provider_error" });
  });

  const inStream: Readonly<Record<string, readonly [body: object, code: string, retryAfter?: number]>> = {
    "an overloaded model": [errorBody(503, "The model is overloaded."), "provider_error"],
    "a quota": [errorBody(429, "slow down", "34.4s"), "provider_rate_limited", 35],
    "a refused key": [
      { error: { code: 400, message: "API key not valid. Please pass a valid API key." } },
      "provider_auth_failed",
    ],
    "an error without a code": [{ error: { message: "it broke" } }, "provider_error"],
  };
  for (const [what, [body, code, retryAfter]] of Object.entries(inStream)) {
    it(`tells ${what} in the middle of an answer`, async () => {
      const { text, error, last } = await answered({ body: [hello, frame(body), stop] });
      expect([text, last?.type]).to.deep.equal(["Hello", "text"]);
      expect(error).to.include({ code, retryAfter });
    });
  }

  it("reads how long to wait from RetryInfo, and else from the header", async () => {
    const waits: readonly (readonly [object, Readonly<Record<string, string>>, number | undefined])[] = [
      [errorBody(429, "slow", "34.4s"), {}, 35],
      [errorBody(429, "slow", "0s"), { "retry-after": "9" }, 0],
      [errorBody(429, "slow", "soon"), { "retry-after": "9" }, 9],
      [errorBody(429, "slow"), { "retry-after": "Thu, 01 Jan 1970 00:00:30 GMT" }, 30],
      [errorBody(429, "slow"), { "retry-after": "1e9" }, 1_000_000_000],
      [errorBody(429, "slow"), {}, undefined],
    ];
    for (const [body, headers, retryAfter] of waits)
      expect((await answered(jsonReply(body, { status: 429, headers }))).error).to.include({
        code: "provider_rate_limited",
        retryAfter,
      });
  });

  it("tells a refused key, which Gemini answers with 400, from other refusals", async () => {
    const refused = { error: { code: 400, message: "No.", details: [{ reason: "API_KEY_INVALID" }] } };
    expect((await answered(jsonReply(refused, { status: 400 }))).error).to.include({
      code: "provider_auth_failed",
    });
    expect((await answered(jsonReply([errorBody(400, "Bad field.")], { status: 400 }))).error).to.include({
      code: "provider_rejected",
      message: "Vendor answered 400: Bad field.",
    });
    const tooLong = "The input token count (2000000) exceeds the maximum number of tokens allowed (1048576).";
    expect((await answered(jsonReply(errorBody(400, tooLong), { status: 400 }))).error).to.include({
      code: "context_length_exceeded",
    });
  });

  it("tells a name that leads nowhere, a closed port and a TLS failure as connection failures", async () => {
    const plain = createServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")).listen(
      0,
      "127.0.0.1",
    );
    await once(plain, "listening");
    const { port } = plain.address() as { port: number };
    for (const baseUrl of [
      "http://no-such-host.invalid/v1beta",
      "http://127.0.0.1:1/v1beta",
      `https://127.0.0.1:${port}/v1beta`,
    ]) {
      const { error } = await ask(await open({ baseUrl }));
      expect(error, baseUrl).to.include({ code: "provider_error" });
      expect(error, baseUrl).to.have.nested.property("details.retryable", true);
    }
    plain.close();
  });

  it("never tells the key, whatever the other side echoes, and never puts it into an address", async () => {
    const forms = [key, encodeURIComponent(key), Buffer.from(key).toString("base64"), "my-secret-header"];
    const provider = await open({
      baseUrl: `${server.url}/v1beta`,
      headers: { "X-Secret": "my-secret-header" },
    });
    for (const form of forms) {
      const replies: readonly MockReply[] = [
        ...[400, 401, 403, 404, 429, 500].map((status) =>
          jsonReply(errorBody(status, `bad key ${form}`), { status }),
        ),
        { status: 401, body: [`x-goog-api-key: ${form}`] },
        { body: [frame(errorBody(500, form))] },
        { body: [`data: {"${form}\n\n`] },
        { body: [`<html>${form}</html>`] },
        { body: [frame({ candidates: [{ finishReason: "MALFORMED_FUNCTION_CALL", finishMessage: form }] })] },
      ];
      for (const reply of replies) {
        server.play(reply);
        const { error } = await ask(provider);
        expect(error).to.be.an("error");
        for (const hidden of forms) expect(JSON.stringify(error) + String(error)).to.not.include(hidden);
      }
    }
    for (const { path, headers } of server.requests) {
      expect(path).to.equal("/v1beta/models/gemini-3-flash:streamGenerateContent?alt=sse");
      expect(headers).to.include({ "x-goog-api-key": key });
    }
  });

  it("sends nothing where there is no key, and says which variable holds it", async () => {
    const { error } = await ask(await open({ baseUrl: server.url, apiKey: "" }));
    expect(error).to.include({
      code: "provider_auth_failed",
      message: "Google Gemini needs a key. Set its api_key, or the variable GEMINI_API_KEY.",
    });
    expect(server.requests).to.be.empty;
  });

  it("names the setting where there is no address", async () => {
    for (const baseUrl of ["", "nonsense"]) {
      const error = await open({ baseUrl }).catch((reason: unknown) => reason);
      expect(error).to.include({ code: "invalid_value", param: "base_url" });
    }
  });
});

describe("leaving an answer of Gemini (F11)", () => {
  let server: MockProviderServer;
  beforeEach(async () => {
    server = await mockProviderServer();
  });
  afterEach(() => server.close());

  const moments: Readonly<Record<string, readonly MockPiece[]>> = {
    "before the headers": [{ hang: true }],
    "while nothing comes": [{ flush: true }, { hang: true }],
    "while comments come": [": wait\n\n", { delayMs: 20 }, ": wait\n\n", { hang: true }],
    "in the middle of the text": [hello, { hang: true }],
    "in the middle of a chunk": [hello.slice(0, 20), { hang: true }],
    "after the end was told": [hello, stop, { hang: true }],
  };
  for (const [moment, body] of Object.entries(moments)) {
    it(`is seen by the provider within a second when it is aborted ${moment}`, async () => {
      server.play({ body });
      const controller = new AbortController();
      const asked = ask(await open({ baseUrl: `${server.url}/v1beta` }), {}, controller.signal);
      const { outcome } = await server.request(0);
      setTimeout(() => controller.abort(new Error("gone")), 30);
      expect((await asked).error).to.have.property("message", "gone");
      const begun = performance.now();
      expect(await outcome).to.equal("aborted");
      expect(performance.now() - begun).to.be.below(1000);
    });
  }

  it("yields nothing more of a read that held several events", async () => {
    server.play({
      body: [frame(chunk([{ text: "one" }, { text: "two", thought: true }, { text: "three" }], "STOP"))],
    });
    const controller = new AbortController();
    const seen: string[] = [];
    try {
      for await (const event of (await open({ baseUrl: `${server.url}/v1beta` })).stream(
        call(),
        controller.signal,
      )) {
        seen.push(event.type);
        controller.abort();
      }
    } catch {
      seen.push("aborted");
    }
    expect(seen).to.deep.equal(["text", "aborted"]);
  });
});
