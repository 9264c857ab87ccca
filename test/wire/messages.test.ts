import { expect } from "chai";
import { sentBody } from "../support/chat.ts";
import { foldBlocks, messagesScene, thinkCall, tool, user, type Block } from "../support/messages-scene.ts";
import { verifies } from "../support/verifies.ts";

describe("the Messages format", () => {
  const scene = messagesScene();
  const { script, ask, stream } = scene;

  verifies("messages:create", "answers with a message; the service runs its own tools unseen", async () => {
    script([
      [{ text: "Let me think." }, { toolCalls: [thinkCall] }],
      [{ text: "Done." }, { usage: { promptTokens: 30, completionTokens: 5 } }],
    ]);
    const { status, body, headers } = await ask({});
    expect(status).to.equal(200);
    expect(body).to.deep.equal({
      id: body.id,
      type: "message",
      role: "assistant",
      model: "custom/test",
      content: [{ type: "text", text: "Done.", citations: null }],
      stop_reason: "end_turn",
      stop_sequence: null,
      service_metadata: body["service_metadata"],
      usage: { ...body.usage, cache_creation_input_tokens: null, cache_read_input_tokens: null },
    });
    expect(body.id).to.match(/^msg_[A-Za-z0-9]{24}$/);
    expect(headers.get("x-run-id")).to.include(body.id.slice("msg_".length));
    expect(headers.get("request-id")).to.equal(headers.get("x-request-id"));
    expect(sentBody(scene.stage).tools?.some(({ function: { name } }) => name === "think")).to.equal(true);
  });

  verifies("messages:create", "counts what came from a cache by itself, as the format does", async () => {
    const usage = { promptTokens: 30, completionTokens: 5, cachedTokens: 20 };
    script([
      [{ toolCalls: [thinkCall] }, { usage }],
      [{ text: "Done." }, { usage }],
    ]);
    const counted = {
      input_tokens: 20,
      cache_creation_input_tokens: null,
      cache_read_input_tokens: 40,
      output_tokens: 10,
    };
    expect((await ask({})).body.usage).to.deep.equal(counted);
  });

  for (const [reason, told] of Object.entries({
    length: "max_tokens",
    content_filter: "refusal",
    stop: "end_turn",
  })) {
    verifies("messages:create", `tells the end by ${reason} as ${told}`, async () => {
      script([[{ text: "x" }, { type: "end", reason: reason as "length" }]]);
      expect((await ask({})).body.stop_reason).to.equal(told);
    });
  }

  verifies("messages:stream", "streams one message of numbered blocks, each opened and closed", async () => {
    script([
      [{ reasoning: "Hm." }, { text: "I look." }, { toolCalls: [thinkCall] }],
      [
        { reasoning: ["So ", "then."] },
        { text: ["It", " is."] },
        { toolCalls: [{ id: "w1", name: "weather", arguments: { city: "Oslo" } }] },
        { usage: { promptTokens: 30, completionTokens: 5 } },
      ],
    ]);
    const events = await stream({
      thinking: { type: "enabled", budget_tokens: 1024 },
      tools: [tool("weather"), { name: "think" }],
    });
    expect([...foldBlocks(events)]).to.deep.equal([
      [0, "thinking:Hm.."],
      [1, "text:I look.."],
      [2, "thinking:So then.."],
      [3, "text:\n\nIt is.."],
      [4, 'tool_use:{"city":"Oslo"}.'],
    ]);
    const [first, last, end] = [events[0], events.at(-2), events.at(-1)];
    expect([first?.type, last?.type, end?.type]).to.deep.equal([
      "message_start",
      "message_delta",
      "message_stop",
    ]);
    expect(first?.["message"]).to.deep.include({
      type: "message",
      role: "assistant",
      model: "custom/test",
      content: [],
      stop_reason: null,
    });
    expect(last?.["delta"]).to.deep.equal({ stop_reason: "tool_use", stop_sequence: null });
    expect((last?.["usage"] as Block)["input_tokens"]).to.be.at.least(30);
    expect(events.filter(({ type }) => type === "message_stop").length).to.equal(1);
  });

  verifies("messages:stream", "names each event as its type", async () => {
    script([{ text: "x" }]);
    const body = { model: "default", max_tokens: 9, messages: [user("Hi")], stream: true };
    const text = await (await scene.stage.host.request("POST", "/v1/messages", body)).text();
    for (const [, name, type] of text.matchAll(/event: (\w+)\ndata: \{"type":"(\w+)"/g))
      expect(name).to.equal(type);
    expect(text).to.not.include("[DONE]");
  });

  verifies("messages:stream", "shows no thoughts that nobody asked for", async () => {
    script([
      [{ reasoning: "Hm." }, { text: "x" }],
      [{ reasoning: "Hm." }, { text: "x" }],
    ]);
    for (const body of [{}, { thinking: { type: "adaptive", display: "omitted" } }]) {
      expect(JSON.stringify(await stream(body))).to.not.include("Hm.");
    }
  });
});
