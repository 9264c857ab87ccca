import { expect } from "chai";
import {
  allChunks,
  chatReply,
  contentOf,
  jsonReply,
  type MockReply,
  type ScriptStep,
} from "@pergola/sdk/testing";
import { chat, sentBody, storedTurns, user } from "../support/chat.ts";
import { openStage, type Stage } from "../support/host.ts";
import { verifies } from "../support/verifies.ts";

const think: ScriptStep = { toolCalls: [{ name: "think", arguments: { thoughts: "hm" } }] };
const status = (code: number, message = "no", retryAfter?: number): MockReply =>
  chatReply({ error: { status: code, message, ...(retryAfter === undefined ? {} : { retryAfter }) } });
const overflow = jsonReply(
  {
    error: {
      message: "This model's maximum context length is 8192 tokens.",
      code: "context_length_exceeded",
    },
  },
  { status: 400 },
);

/** What the provider answers to the first call, and what the client gets. */
const table: Readonly<Record<string, readonly [MockReply, number, string, string]>> = {
  "400": [status(400), 400, "provider_rejected", "invalid_request_error"],
  "a context overflow": [overflow, 400, "context_length_exceeded", "invalid_request_error"],
  "401": [status(401), 502, "provider_auth_failed", "server_error"],
  "402": [status(402), 400, "provider_rejected", "invalid_request_error"],
  "403": [status(403), 502, "provider_auth_failed", "server_error"],
  "404": [status(404), 400, "provider_rejected", "invalid_request_error"],
  "408": [status(408), 504, "provider_timeout", "server_error"],
  "422": [status(422), 400, "provider_rejected", "invalid_request_error"],
  "429": [status(429, "slow down", 17), 429, "provider_rate_limited", "rate_limit_error"],
  "500": [status(500), 502, "provider_error", "server_error"],
  "503": [status(503), 502, "provider_error", "server_error"],
  "504": [status(504), 504, "provider_timeout", "server_error"],
  "529": [status(529), 502, "provider_error", "server_error"],
  "a broken connection": [{ body: [{ reset: true }] }, 502, "provider_error", "server_error"],
  "a web page": [jsonReply("<html>hello</html>"), 502, "provider_error", "server_error"],
  "an empty body": [{ body: [] }, 502, "provider_error", "server_error"],
};

describe("a provider's failure", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.end());

  const send = (body: object = {}) => chat(stage, { messages: [user("Hello")], ...body });

  for (const [name, [reply, expected, code, type]] of Object.entries(table)) {
    verifies(
      ["http:status-table", "W11", "R01"],
      `${name} before the first byte is ${expected} ${code}, in both modes`,
      async () => {
        stage.provider.play(reply);
        for (const stream of [false, true]) {
          const { status: got, headers, body } = await send({ stream });
          expect([got, body.error.code, body.error.type]).to.deep.equal([expected, code, type]);
          expect(Object.keys(body)).to.deep.equal(["error"]);
          expect(body.error.message).to.be.a("string").that.is.not.empty.and.not.contain("<html>");
          if (expected === 429) expect(headers.get("retry-after")).to.equal("17");
        }
      },
    );
  }

  verifies("http:status-table", "to be reached is 502, to answer in time 504", async () => {
    const lost = {
      type: "custom",
      base_url: "http://127.0.0.1:9/v1",
      models: ["lost"],
      retry_count: 0,
      prefix: "lost",
    };
    const slow = {
      type: "custom",
      base_url: stage.provider.baseUrl,
      models: ["slow"],
      retry_count: 0,
      timeout_seconds: 1,
      prefix: "slow",
    };
    const other = await openStage(undefined, { settings: { "providers.list": [lost, slow] } });
    stage.provider.play({ body: [{ flush: true }, { hang: true }] });
    const answers = await Promise.all(
      ["lost/lost", "slow/slow"].map((model) => chat(other, { model, messages: [user("Hello")] })),
    );
    expect(answers.map(({ status: got, body }) => [got, body.error.code])).to.deep.equal([
      [502, "provider_error"],
      [504, "provider_timeout"],
    ]);
    await other.end();
  });

  verifies("http:status-table", "is 503 no_provider where there is no provider at all", async () => {
    const bare = await openStage(undefined, { settings: { "providers.list": [] } });
    const {
      status: got,
      headers,
      body,
    } = await chat(bare, { messages: [user("Hello")] }).finally(() => bare.end());
    expect([got, body.error.code, body.error.type]).to.deep.equal([503, "no_provider", "server_error"]);
    expect(Number(headers.get("retry-after"))).to.be.above(0);
  });

  verifies(
    ["http:late-failure", "W11"],
    "in a later iteration is a normal answer with the text so far",
    async () => {
      for (const [first, content] of [
        [[{ text: "Let me see." }, think], "Let me see."],
        [[think], ""],
      ] as const) {
        stage.provider.play([chatReply(first), status(500)]);
        const { status: got, body } = await send();
        expect(got).to.equal(200);
        expect(body.choices[0]).to.deep.equal({
          index: 0,
          message: { role: "assistant", content },
          finish_reason: "stop",
        });
        expect(body.service_metadata.workflow).to.include({
          completion_reason: "error",
          had_errors: true,
          iterations: 2,
        });
        const run = await stage.host.json<Record<string, unknown>>(
          "GET",
          `/api/runs/${body.service_metadata.run_id}`,
        );
        expect(run.body["error"]).to.include({ code: "provider_error" });
      }
    },
  );

  verifies("http:late-failure", "in a later iteration leaves a history that goes on", async () => {
    stage.provider.play([chatReply([{ text: "Let me see." }, think]), status(500)]);
    const { body } = await send();
    const id = body.service_metadata.conversation_id;
    stage.provider.play(chatReply({ text: "Fine." }));
    expect((await send({ conversationId: id, messages: [user("Again")] })).status).to.equal(200);
    expect(sentBody(stage).messages.map(({ role }) => role)).to.deep.equal([
      "system",
      "user",
      "assistant",
      "tool",
      "assistant",
      "user",
    ]);
    expect((await storedTurns(stage.host, id)).at(-1)).to.equal("assistant: Fine.");
  });

  verifies("W10", "after text was sent is not tried again", async () => {
    const other = await openStage();
    const retrying = await openStage(undefined, {
      settings: {
        "providers.list": [{ type: "custom", base_url: other.provider.baseUrl, retry_count: 2 }],
        "providers.fallback_chains": { "*": ["custom/spare"] },
      },
    });
    other.provider.play([
      chatReply([{ text: "Once" }, { error: { status: 503 } }]),
      chatReply({ text: "Twice" }),
    ]);
    const answer = await retrying.host.request("POST", "/api/chat/completions", {
      model: "default",
      messages: [user("Hello")],
      stream: true,
    });
    expect(contentOf(await allChunks(answer))).to.match(/^Once\n\nError: /);
    expect(other.provider.requests.length).to.equal(1);
    await retrying.end();
    await other.end();
  });

  verifies(
    ["http:status-table", "W11"],
    "goes on to the next model of a chain, which the answer names",
    async () => {
      const chained = await openStage([status(401), chatReply({ text: "Spare." })], {
        settings: { "providers.fallback_chains": { default: ["custom/spare"] } },
      });
      const { body } = await chat(chained, { messages: [user("Hello")] });
      expect([body.model, body.choices[0]?.message.content]).to.deep.equal(["custom/spare", "Spare."]);
      expect(body.service_metadata.warnings.join()).to.contain("default was skipped");
      await chained.end();
    },
  );

  verifies(["R01", "W11"], "tells no secret that the provider repeats", async () => {
    const key = "sk-live-0123456789abcdefghij";
    stage.provider.play(status(400, `Bad key ${key} in Bearer abcdef0123456789`));
    for (const more of [{}, { stream: true }, { service_config: { bypass_processing: true } }]) {
      const { body } = await send(more);
      expect(JSON.stringify(body)).to.not.contain(key).and.not.contain("abcdef0123456789");
      expect(body.error.message).to.contain("[redacted]");
    }
  });
});
