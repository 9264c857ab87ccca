import { expect } from "chai";
import { AppError } from "@pergola/sdk";
import { closes, delta, finish, frame, opens, ping, start, stop } from "./messages-reply.ts";
import { answering, answerTo, ask, open, past, tool } from "./support.ts";

const text = (words: string): string =>
  opens(0, { type: "text", text: "" }) + delta(0, { type: "text_delta", text: words }) + closes(0);
const error = (type: string, message: string): string => frame({ type: "error", error: { type, message } });

describe("an answer of the Messages format", () => {
  const reasons: Readonly<Record<string, string>> = {
    end_turn: "stop",
    stop_sequence: "stop",
    pause_turn: "stop",
    something_new: "stop",
    max_tokens: "length",
    model_context_window_exceeded: "length",
    refusal: "content_filter",
  };
  for (const [told, reason] of Object.entries(reasons)) {
    it(`ends by ${reason} for ${told}`, async () => {
      const { last } = await answerTo(start(), text("x"), finish(told), stop);
      expect(last).to.deep.equal({ type: "end", reason });
    });
  }

  it("is cut by its length even when it has called a tool", async () => {
    const use =
      opens(0, { type: "tool_use", id: "a", name: "think", input: {} }) +
      delta(0, { type: "input_json_delta", partial_json: '{"th' });
    const { last, calls } = await answerTo(start(), use, finish("max_tokens"), stop);
    expect(last).to.deep.equal({ type: "end", reason: "length" });
    expect(calls).to.deep.equal([{ id: "a", name: "think", arguments: '{"th' }]);
  });

  it("may hold text and input in the events that open a block", async () => {
    const whole =
      opens(0, { type: "text", text: "Yes" }) +
      closes(0) +
      opens(1, { type: "tool_use", id: "a", name: "f", input: { x: 1 } });
    const answer = await answerTo(start(), whole, closes(1), finish("tool_use"), stop);
    expect([answer.text, answer.calls]).to.deep.equal([
      "Yes",
      [{ id: "a", name: "f", arguments: '{"x":1}' }],
    ]);
  });

  it("numbers calls from 0, whatever stands between their blocks", async () => {
    const use = (index: number, id: string): string =>
      opens(index, { type: "tool_use", id, name: "f", input: {} }) + closes(index);
    const { events } = await answerTo(start(), use(3, "a"), text("x"), use(7, "b"), finish("tool_use"), stop);
    expect(events.flatMap((event) => (event.type === "tool_call" ? [event.index] : []))).to.deep.equal([
      0, 1,
    ]);
  });

  it("passes over blocks of the vendor's own tools", async () => {
    const search =
      opens(0, { type: "server_tool_use", id: "s", name: "web_search", input: {} }) +
      delta(0, { type: "input_json_delta", partial_json: "{}" }) +
      closes(0) +
      opens(1, { type: "web_search_tool_result", tool_use_id: "s", content: [] }) +
      closes(1);
    const cited =
      opens(2, { type: "text", text: "" }) +
      delta(2, { type: "citations_delta", citation: {} }) +
      delta(2, { type: "text_delta", text: "So." });
    const answer = await answerTo(start(), search, cited, closes(2), finish("end_turn"), stop);
    expect([answer.text, answer.calls, answer.error]).to.deep.equal(["So.", [], undefined]);
  });

  it("keeps signed and hidden thoughts in their order, and none that was not signed", async () => {
    const thought = (index: number, words: string, signature: string): string =>
      opens(index, { type: "thinking", thinking: "", signature: "" }) +
      delta(index, { type: "thinking_delta", thinking: words }) +
      (signature === "" ? "" : delta(index, { type: "signature_delta", signature })) +
      closes(index);
    const hidden = opens(1, { type: "redacted_thinking", data: "ZGF0YQ==" }) + closes(1);
    const { extra, reasoning } = await answerTo(
      start(),
      thought(0, "a", "s1"),
      hidden,
      thought(2, "b", ""),
      thought(3, "", "s2"),
      finish("end_turn"),
      stop,
    );
    expect(reasoning).to.equal("ab");
    expect(extra).to.deep.equal({
      reasoning_blocks: [
        { type: "thinking", thinking: "a", signature: "s1" },
        { type: "redacted_thinking", data: "ZGF0YQ==" },
        { type: "thinking", thinking: "", signature: "s2" },
      ],
    });
  });

  it("counts all input: new, written to the cache and read from it; the last count of the output wins", async () => {
    const first = start({
      input_tokens: 10,
      cache_creation_input_tokens: 200,
      cache_read_input_tokens: 3000,
      output_tokens: 1,
    });
    const { usage } = await answerTo(
      first,
      text("x"),
      finish("end_turn", { output_tokens: 42, output_tokens_details: { thinking_tokens: 30 } }),
      stop,
    );
    expect(usage).to.deep.equal({
      promptTokens: 3210,
      completionTokens: 42,
      cachedTokens: 3000,
      reasoningTokens: 30,
    });
  });

  it("counts nothing where the numbers are none", async () => {
    const { usage, last } = await answerTo(
      start({ input_tokens: -1, output_tokens: "2" }),
      text("x"),
      finish("end_turn", {}),
      stop,
    );
    expect([usage, last?.type]).to.deep.equal([undefined, "end"]);
  });

  it("may come as one document", async () => {
    const content = [
      { type: "thinking", thinking: "Hm.", signature: "s" },
      { type: "text", text: "Yes." },
      { type: "tool_use", id: "a", name: "f", input: { x: 1 } },
    ];
    const message = {
      type: "message",
      content,
      stop_reason: "tool_use",
      usage: { input_tokens: 3, output_tokens: 4 },
    };
    for (const body of [JSON.stringify(message), JSON.stringify(message, null, 2)]) {
      const answer = await answerTo(body);
      expect([answer.text, answer.reasoning, answer.calls.length]).to.deep.equal(["Yes.", "Hm.", 1]);
      expect([answer.usage, answer.last]).to.deep.equal([
        { promptTokens: 3, completionTokens: 4 },
        { type: "end", reason: "tool_calls" },
      ]);
    }
  });

  it("calls tools by their own names", async () => {
    const use = opens(0, { type: "tool_use", id: "a", name: "my_tool", input: {} }) + closes(0);
    const provider = await open({}, { fetch: answering([start(), use, finish("tool_use"), stop]) });
    expect((await ask(provider, { tools: [{ ...tool, name: "my.tool" }] })).calls[0]?.name).to.equal(
      "my.tool",
    );
  });
});

describe("an answer that fails (F9)", () => {
  const told: Readonly<Record<string, readonly [code: string, status: number]>> = {
    overloaded_error: ["provider_error", 529],
    api_error: ["provider_error", 500],
    rate_limit_error: ["provider_rate_limited", 429],
    timeout_error: ["provider_timeout", 504],
    authentication_error: ["provider_auth_failed", 401],
    invalid_request_error: ["provider_rejected", 400],
    something_new: ["provider_error", 500],
  };
  for (const [type, [code, status]] of Object.entries(told)) {
    it(`inside its stream by ${type}, with what came before`, async () => {
      const answer = await answerTo(start(), text("Partly"), error(type, "no"));
      expect([answer.text, answer.last?.type]).to.deep.equal(["Partly", "text"]);
      expect(answer.error).to.include({ code });
      expect(AppError.is(answer.error) && answer.error.details).to.include({ status });
    });
  }

  it("by an overloaded service is one that lets hope, as a status and inside the stream", async () => {
    const body = error("overloaded_error", "Overloaded");
    const inside = await answerTo(body);
    const outside = await ask(
      await open(
        {},
        {
          fetch: answering(
            ['{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}'],
            529,
          ),
        },
      ),
    );
    for (const { error: failure } of [inside, outside]) {
      expect(AppError.is(failure) && failure.details).to.deep.equal({ status: 529, retryable: true });
      expect(AppError.is(failure) && failure.message).to.equal("Anthropic answered 529: Overloaded");
    }
  });

  it("by a prompt that does not fit is a context that is too long", async () => {
    for (const message of [
      "prompt is too long: 208310 tokens > 200000 maximum",
      "input length and `max_tokens` exceed context limit: 199000 + 4096 > 200000",
    ]) {
      const body = JSON.stringify({ type: "error", error: { type: "invalid_request_error", message } });
      expect((await ask(await open({}, { fetch: answering([body], 400) }))).error).to.include({
        code: "context_length_exceeded",
      });
    }
  });

  const damaged: Readonly<Record<string, readonly string[]>> = {
    "an event that is cut": [start(), 'data: {"type":"content_block_del\n\n', finish("end_turn"), stop],
    "a piece of a block that was never opened": [
      start(),
      delta(0, { type: "text_delta", text: "x" }),
      finish("end_turn"),
      stop,
    ],
    "no end": [start(), text("x")],
    "an empty body": [""],
    "only pings": [ping, ping],
    "a web page": ["<html><body>Bad gateway</body></html>"],
    "a list": ["[1,2]"],
  };
  for (const [what, body] of Object.entries(damaged)) {
    it(`by ${what}`, async () => {
      const { error: failure, last } = await answerTo(...body);
      expect(failure).to.include({ code: "provider_error" });
      expect(AppError.is(failure) && failure.details).to.include({ retryable: true });
      expect(last?.type).to.not.equal("end");
    });
  }

  it("by a line of more than 4 MiB", async () => {
    const { error: failure } = await answerTo(`data: {"type":"${"x".repeat(17 * 1024 * 1024)}`);
    expect(failure).to.have.property("message", "Anthropic sent a line of more than 4 MiB");
  });

  it("by pings for ever", async () => {
    let now = 0;
    const provider = await open(
      { timeoutSeconds: 2 },
      { clock: { now: () => (now += 600) }, fetch: answering(Array.from({ length: 100 }, () => ping)) },
    );
    expect((await ask(provider)).error).to.include({ code: "provider_timeout" });
  });

  it("A22: never shows the key, whatever the other side echoes", async () => {
    const { apiKey } = { apiKey: "sk-ant-canary-0123456789abcdef" };
    for (const echo of [apiKey, encodeURIComponent(apiKey), Buffer.from(apiKey).toString("base64")]) {
      const body = JSON.stringify({
        type: "error",
        error: { type: "authentication_error", message: `bad key ${echo}` },
      });
      const { error: failure } = await ask(await open({}, { fetch: answering([body], 401) }));
      expect(AppError.is(failure) && failure.message).to.equal(
        "Anthropic answered 401: bad key [redacted]. Check its api_key, or the variable ANTHROPIC_API_KEY.",
      );
    }
  });

  it("without a key says which variable holds it, and asks nobody", async () => {
    let asked = 0;
    const fetch = async () => {
      asked++;
      throw new Error("asked");
    };
    const definition = await open({ apiKey: "" }, { fetch });
    const { error: failure } = await ask(definition, { model: past });
    expect(failure).to.include({ code: "provider_auth_failed" });
    expect(String((failure as Error).message)).to.include("ANTHROPIC_API_KEY");
    expect(asked).to.equal(0);
  });
});
