import { expect } from "chai";
import { allChunks, chatReply, contentOf, streamChunks } from "@pergola/sdk/testing";
import { chat, sentBody, user, type ChatAnswer } from "../support/chat.ts";
import { openStage, type Stage } from "../support/host.ts";
import { promised } from "../support/promised.ts";
import { verifies } from "../support/verifies.ts";

const past = { service_config: { bypass_processing: true } };
const raw = "<think>hm</think>Keep <tool_call>{}</tool_call> this.";

describe("bypass", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage(undefined, { settings: { "stream.ping_seconds": 1 } });
  });
  after(() => stage.end());
  beforeEach(() =>
    stage.provider.play(chatReply([{ text: raw }, { usage: { promptTokens: 9, completionTokens: 4 } }])),
  );

  const stream = (body: object) =>
    stage.host.request("POST", "/api/chat/completions", {
      model: "custom/test",
      messages: [user("Hi")],
      stream: true,
      ...past,
      ...body,
    });
  const tools = [{ type: "function", function: { name: "think", parameters: { type: "object" } } }];

  verifies(["bypass:as-sent", "C14"], "hands the request on as it came", async () => {
    const sent = {
      messages: [
        { role: "system", content: "S" },
        { role: "user", content: [{ type: "text", text: "Hi" }], odd: 1 },
        { role: "robot", content: null },
      ],
      tools,
      temperature: 0.1,
      top_p: 0.9,
      max_tokens: 1_000_000,
      logit_bias: { "5": 1 },
      seed: 3,
    };
    const { status } = await chat(stage, { model: "custom/test", ...sent, ...past });
    expect(status).to.equal(200);
    const { model, stream: _, stream_options: __, ...rest } = sentBody(stage);
    expect(model).to.equal("test");
    expect(rest).to.deep.equal(sent);
  });

  verifies("bypass:as-sent", "keeps the service's own keys to itself", async () => {
    const own = {
      conversationId: "x",
      conversation_id: "y",
      session_id: "z",
      context_id: "c",
      topic: "t",
      system_prompt_id: "default",
      enable_memory: false,
    };
    await chat(stage, {
      messages: [user("Hi")],
      ...own,
      mini_prompts: ["m"],
      maxIterations: 3,
      samConfig: {},
      iteration_number: 1,
      ...past,
    });
    expect(Object.keys(sentBody(stage))).to.have.members(["model", "messages", "stream", "stream_options"]);
  });

  verifies(["bypass:as-sent", "C14"], "gives content, usage and finish reason back unchanged", async () => {
    stage.provider.play(
      chatReply([
        { text: raw },
        { usage: { promptTokens: 9, completionTokens: 4 } },
        { type: "end", reason: "length" },
      ]),
    );
    const { headers, body } = await chat(stage, { messages: [user("Hi")], ...past });
    expect(body.choices[0]).to.deep.equal({
      index: 0,
      message: { role: "assistant", content: raw },
      finish_reason: "length",
    });
    expect(body.usage).to.deep.equal({ prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 });
    expect(body.id).to.match(/^chatcmpl-[A-Za-z0-9]{24}$/);
    expect(body.model).to.equal("custom/test");
    const { workflow, provider, usage_source: source } = body.service_metadata;
    expect(workflow).to.include({
      iterations: 1,
      tool_call_count: 0,
      completion_reason: "workflow_complete",
      had_errors: false,
    });
    expect(provider).to.include({ type: "custom" });
    expect(source).to.equal("provider");
    expect(body.service_metadata).to.not.have.any.keys("conversation_id", "run_id");
    expect([headers.get("x-conversation-id"), headers.get("x-run-id")]).to.deep.equal([null, null]);
  });

  verifies(["bypass:as-sent", "C14"], "passes tool calls through and runs none", async () => {
    const script = chatReply({
      toolCalls: [{ id: "call_1", name: "think", arguments: ['{"thou', 'ghts":"x"}'] }],
    });
    stage.provider.play(script);
    const { body } = await chat(stage, { messages: [user("Hi")], tools, ...past });
    const call = {
      id: "call_1",
      type: "function",
      function: { name: "think", arguments: '{"thoughts":"x"}' },
    };
    expect(body.choices[0]).to.deep.equal({
      index: 0,
      message: { role: "assistant", content: null, tool_calls: [call] },
      finish_reason: "tool_calls",
    });
    const before = stage.provider.requests.length;
    const chunks = await allChunks(await stream({ tools }));
    const deltas = chunks.flatMap(
      (chunk) =>
        (chunk.choices?.[0]?.delta["tool_calls"] ?? []) as readonly {
          id?: string;
          function: { arguments: string };
        }[],
    );
    expect(deltas.map((delta) => delta.function.arguments).join("")).to.equal('{"thoughts":"x"}');
    expect(deltas[0]?.id).to.equal("call_1");
    expect(stage.provider.requests.length).to.equal(before + 1);
  });

  verifies(
    ["bypass:as-sent", "C15"],
    "takes a tool result sent as a user message behind an empty assistant message",
    async () => {
      const messages = [user("Hi"), { role: "assistant", content: "" }, user("Tool result: 42")];
      expect((await chat(stage, { messages, ...past })).status).to.equal(200);
      expect(sentBody(stage).messages).to.deep.equal(messages);
      expect(
        (await chat(stage, { messages: [{ role: "assistant", content: "I" }], ...past })).status,
      ).to.equal(200);
      const { status, body } = await chat(stage, { messages: [], ...past });
      expect([status, body.error.param]).to.deep.equal([400, "messages"]);
    },
  );

  verifies("bypass:as-sent", "checks no sampling values (C25)", async () => {
    const odd = { temperature: 3, top_p: 2, presence_penalty: -9, max_tokens: 0, n: 2, functions: [] };
    const { status } = await chat(stage, { model: "custom/test", messages: [user("Hi")], ...odd, ...past });
    expect(status).to.equal(200);
    expect(sentBody(stage)).to.deep.include(odd);
    for (const [param, code] of [
      ["temperature", "out_of_range"],
      ["n", "invalid_value"],
    ] as const) {
      const { body } = await chat(stage, { messages: [user("Hi")], [param]: 3 });
      expect(body.error).to.include({ param, code });
    }
  });

  verifies("bypass:as-sent", "stores no conversation and no run", async () => {
    const counts = () =>
      Promise.all(
        ["/v1/conversations?includeHidden=true", "/api/runs"].map(
          async (path) => (await stage.host.json<{ count: number }>("GET", path)).body.count,
        ),
      );
    const before = await counts();
    await chat(stage, {
      messages: [user("Hi")],
      conversationId: "eeeeeeee-0000-4000-8000-000000000001",
      ...past,
    });
    await allChunks(await stream({ conversationId: "eeeeeeee-0000-4000-8000-000000000001" }));
    expect(await counts()).to.deep.equal(before);
    expect(
      (await stage.host.json("GET", "/v1/conversations/eeeeeeee-0000-4000-8000-000000000001")).status,
    ).to.equal(404);
  });

  verifies(
    ["bypass:as-sent", "C14", "S01"],
    "streams live: role, content, one final chunk, usage, [DONE]",
    async () => {
      const seen = promised();
      stage.provider.play(
        chatReply([
          { text: ["One ", "two "] },
          { until: seen.promise },
          { text: "three" },
          { usage: { promptTokens: 9, completionTokens: 4 } },
        ]),
      );
      const answer = await stream({});
      expect(answer.headers.get("content-type")).to.match(/^text\/event-stream/);
      const chunks = [];
      for await (const chunk of streamChunks(answer)) {
        chunks.push(chunk);
        if (contentOf(chunks) === "One two ") seen.keep();
      }
      expect(contentOf(chunks)).to.equal("One two three");
      expect(new Set(chunks.map(({ id }) => id)).size).to.equal(1);
      expect(chunks[0]?.choices?.[0]?.delta).to.deep.equal({ role: "assistant" });
      expect(chunks.flatMap((chunk) => chunk.choices?.[0]?.finish_reason ?? [])).to.deep.equal(["stop"]);
      expect(chunks.at(-1)).to.deep.include({
        choices: [],
        usage: { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 },
      });
    },
  );

  verifies(
    ["bypass:as-sent", "S07"],
    "answers a failure before the first byte with its status, a later one with an error line",
    async () => {
      stage.provider.play(chatReply({ error: { status: 429, retryAfter: 7 } }));
      const early = await stream({});
      expect([
        early.status,
        early.headers.get("retry-after"),
        ((await early.json()) as ChatAnswer).error.code,
      ]).to.deep.equal([429, "7", "provider_rate_limited"]);
      stage.provider.play(chatReply([{ text: "Half" }, { error: { status: 500 } }]));
      const text = await (await stream({})).text();
      const lines = text.split("\n\n").filter((line) => line !== "");
      expect(lines.at(-1)).to.equal("data: [DONE]");
      expect((JSON.parse(lines.at(-2)?.slice(6) ?? "") as ChatAnswer).error).to.include({
        code: "provider_error",
        type: "server_error",
      });
      expect(text).to.not.contain("Error:").and.not.contain('"finish_reason":"stop"');
    },
  );

  verifies(
    ["bypass:as-sent", "S07"],
    "sends its headers when a ping is due, and tells of a failure after that in the stream",
    async () => {
      stage.provider.play(chatReply([{ delayMs: 1300 }, { text: "Late" }]));
      const answer = await stream({});
      expect(answer.status).to.equal(200);
      expect(await answer.text()).to.match(/Late[^]*\[DONE\]/);
      stage.provider.play(chatReply([{ delayMs: 1300 }, { error: { status: 500 } }]));
      const failed = await stream({});
      expect(failed.status).to.equal(200);
      expect(await failed.text()).to.match(/data: \{"error":\{[^]*\[DONE\]\n\n$/);
    },
  );

  verifies(["bypass:as-sent", "S08"], "stops the provider when the client goes away", async () => {
    stage.provider.play(chatReply([{ text: "One" }, { hang: true }]));
    const number = stage.provider.requests.length;
    const leave = new AbortController();
    const body = JSON.stringify({ model: "test", messages: [user("Hi")], stream: true, ...past });
    const answer = await fetch(`${stage.host.url}/api/chat/completions`, {
      method: "POST",
      body,
      headers: { "content-type": "application/json" },
      signal: leave.signal,
    });
    await answer.body?.getReader().read();
    leave.abort();
    expect(await (await stage.provider.request(number)).outcome).to.equal("aborted");
  });

  verifies(
    "bypass:as-sent",
    "is on for all requests with server.bypass_mode, unless one says otherwise",
    async () => {
      const other = await openStage(chatReply({ text: raw }), { settings: { "server.bypass_mode": true } });
      expect((await chat(other, { messages: [user("Hi")] })).body.choices[0]?.message.content).to.equal(raw);
      const normal = await chat(other, {
        messages: [user("Hi")],
        service_config: { bypass_processing: false },
      });
      expect(normal.body.choices[0]?.message.content).to.equal("Keep  this.");
      await other.end();
    },
  );
});
