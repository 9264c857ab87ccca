import { expect } from "chai";
import { detailOf, sentBody, sentTurns } from "../support/chat.ts";
import { assistant, messagesScene, tool, user, type MessageAnswer } from "../support/messages-scene.ts";
import { verifies } from "../support/verifies.ts";

describe("what the Messages format takes", () => {
  const scene = messagesScene();
  const { script, ask, sentMessages, stream } = scene;

  verifies("messages:input", "hands on what is said and shown", async () => {
    script([{ text: "x" }]);
    await ask({
      system: [
        { type: "text", text: "Be brief." },
        { type: "text", text: "Be kind." },
      ],
      messages: [
        user([
          { type: "text", text: "Look:" },
          { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } },
          { type: "image", source: { type: "url", url: "https://example.org/a.png" } },
          {
            type: "document",
            title: "Note",
            source: { type: "text", media_type: "text/plain", data: "Words." },
          },
        ]),
        assistant([
          { type: "thinking", thinking: "Hm.", signature: "s" },
          { type: "text", text: "I see." },
        ]),
        user("Go on"),
      ],
    });
    const { messages } = sentBody(scene.stage);
    expect(
      messages.some(
        ({ role, content }) => role === "system" && String(content).includes("Be brief.\n\nBe kind."),
      ),
    ).to.equal(true);
    const [shown] = sentMessages();
    expect(shown?.content).to.deep.equal([
      { type: "text", text: "Look:" },
      { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } },
      { type: "image_url", image_url: { url: "https://example.org/a.png" } },
      { type: "text", text: "Note\n\nWords." },
    ]);
    expect(sentTurns(scene.stage).slice(1)).to.deep.equal(["assistant: I see.", "user: Go on"]);
  });

  verifies("messages:input", "hands on the sampling in the provider's words", async () => {
    script([{ text: "x" }]);
    await ask({
      max_tokens: 77,
      temperature: 0.2,
      top_p: 0.5,
      stop_sequences: ["END"],
      metadata: { user_id: "u1" },
      tools: [tool("weather")],
      tool_choice: { type: "any", disable_parallel_tool_use: true },
      thinking: { type: "enabled", budget_tokens: 1024 },
      output_config: { effort: "xhigh", format: { type: "json_schema", schema: { type: "object" } } },
    });
    expect(sentBody(scene.stage)).to.deep.include({
      max_tokens: 77,
      temperature: 0.2,
      top_p: 0.5,
      stop: ["END"],
      user: "u1",
      tool_choice: "required",
      parallel_tool_calls: false,
      reasoning_effort: "high",
      response_format: { type: "json_schema", json_schema: { name: "answer", schema: { type: "object" } } },
    });
  });

  const image = (source: object) => [user([{ type: "image", source }])];
  const refused: readonly (readonly [body: object, param: string])[] = [
    [{ messages: [] }, "messages"],
    [{ messages: [assistant("x")] }, "messages"],
    [{ messages: [{ content: "x" }] }, "messages[0].role"],
    [{ messages: [{ role: "robot", content: "x" }] }, "messages[0].role"],
    [{ messages: [{ role: "system", content: "x" }] }, "messages"],
    [{ messages: [user(undefined)] }, "messages[0].content"],
    [{ messages: [user(7)] }, "messages[0].content"],
    [{ messages: [user(["x"])] }, "messages[0].content[0]"],
    [{ messages: [user([{ type: "text" }])] }, "messages[0].content[0].text"],
    [{ messages: [user([{ type: "search_result" }])] }, "messages[0].content[0].title"],
    [{ messages: [user([{ type: "hologram" }])] }, "messages[0].content[0]"],
    [{ messages: image({ type: "url", url: "http://example.org" }) }, "messages[0].content[0].source"],
    [
      { messages: image({ type: "base64", media_type: "text/html", data: "x" }) },
      "messages[0].content[0].source",
    ],
    [
      { messages: [user([{ type: "document", source: { type: "base64" } }])] },
      "messages[0].content[0].source.data",
    ],
    [{ messages: [user([{ type: "tool_result", content: "x" }])] }, "messages[0].content[0].tool_use_id"],
    [{ messages: [user("x"), assistant([{ type: "hologram" }])] }, "messages[1].content[0]"],
    [
      { messages: [user("x"), assistant([{ type: "tool_use", id: "a", name: "f", input: [] }])] },
      "messages[1].content[0].input",
    ],
    [{ system: [{ text: "x" }] }, "system[0]"],
    [{ top_k: "many" }, "top_k"],
    [{ tools: [{ name: "a b" }] }, "tools[0].name"],
    [{ tools: [{ name: "a", input_schema: [] }] }, "tools[0].input_schema"],
    [{ tool_choice: { type: "some" } }, "tool_choice.type"],
    [{ thinking: { type: "deep" } }, "thinking.type"],
    [{ max_tokens: 0 }, "max_tokens"],
    [{ max_tokens: undefined }, "max_tokens"],
    [{ temperature: 1.5 }, "temperature"],
    [{ model: 7 }, "model"],
  ];
  for (const [body, param] of refused) {
    verifies(["messages:input", "messages:errors"], `refuses ${JSON.stringify(body)}`, async () => {
      const { status, body: answer } = await ask(body);
      expect([status, answer.error.param, answer.error.type, answer["type"]]).to.deep.equal([
        400,
        param,
        "invalid_request_error",
        "error",
      ]);
    });
  }

  verifies("messages:tools", "gives calls of the caller's tools back, and takes their results", async () => {
    script([
      [
        { text: "I look." },
        {
          toolCalls: [
            { id: "w1", name: "weather", arguments: { city: "Oslo" } },
            { id: "w2", name: "weather", arguments: {} },
          ],
        },
      ],
      { text: "Rain." },
    ]);
    const tools = [tool("weather"), { name: "think" }];
    const { body } = await ask({ tools });
    const uses = body.content.filter(({ type }) => type === "tool_use");
    expect(body.stop_reason).to.equal("tool_use");
    expect(body.content).to.deep.equal([
      { type: "text", text: "I look.", citations: null },
      {
        type: "tool_use",
        id: uses[0]?.["id"],
        name: "weather",
        input: { city: "Oslo" },
        caller: { type: "direct" },
      },
      { type: "tool_use", id: uses[1]?.["id"], name: "weather", input: {}, caller: { type: "direct" } },
    ]);
    expect(sentBody(scene.stage).tools?.map(({ function: { name } }) => name)).to.have.members([
      "weather",
      "think",
    ]);
    const [one, two] = uses.map(({ id }) => String(id));
    const results = [
      { type: "text", text: "Here." },
      { type: "tool_result", tool_use_id: one, content: [{ type: "text", text: "rain" }] },
      { type: "tool_result", tool_use_id: two, is_error: true, content: "no such city" },
    ];
    const next = await ask({ tools, messages: [user("Hi"), assistant(body.content), user(results)] });
    expect(next.body.content).to.deep.equal([{ type: "text", text: "Rain.", citations: null }]);
    const sent = sentMessages();
    expect(sent.map(({ role }) => role)).to.deep.equal(["user", "assistant", "tool", "tool", "user"]);
    expect([sent[2]?.content, sent[3]?.content]).to.deep.equal([
      "rain",
      '{"success":false,"error":"no such city"}',
    ]);
  });

  verifies("messages:tools", "refuses a result that answers nothing", async () => {
    const { status, body } = await ask({
      messages: [user([{ type: "tool_result", tool_use_id: "nobody", content: "x" }])],
    });
    expect([status, body.error.code, body.error.type]).to.deep.equal([
      400,
      "unknown_tool_call_id",
      "invalid_request_error",
    ]);
  });

  verifies(
    "messages:conversation",
    "goes on with a conversation by its id, in the body or the header",
    async () => {
      script([{ text: "One." }, { text: "Two." }, { text: "Three." }]);
      const { headers } = await ask({ conversation_id: "talk" });
      await ask({ conversation_id: "talk", messages: [user("More")] });
      const body = { model: "default", max_tokens: 9, messages: [user("Last")] };
      await scene.stage.host.request("POST", "/v1/messages", body, { "x-session-id": "talk" });
      expect(sentTurns(scene.stage)).to.deep.equal([
        "user: Hi",
        "assistant: One.",
        "user: More",
        "assistant: Two.",
        "user: Last",
      ]);
      expect((await detailOf(scene.stage.host, "talk")).id).to.equal(headers.get("x-conversation-id"));
    },
  );

  const failures: readonly (readonly [status: number, seen: number, type: string, code: string])[] = [
    [429, 429, "rate_limit_error", "provider_rate_limited"],
    [400, 400, "invalid_request_error", "provider_rejected"],
    [401, 502, "api_error", "provider_auth_failed"],
    [500, 502, "api_error", "provider_error"],
    [504, 504, "timeout_error", "provider_timeout"],
  ];
  for (const streamed of [false, true]) {
    for (const [status, seen, type, code] of failures) {
      verifies(
        "messages:errors",
        `tells a provider's ${status} as ${type}${streamed ? ", streamed" : ""}`,
        async () => {
          script([{ error: { status, message: "no" } }]);
          const { status: told, body } = await ask({ stream: streamed });
          expect([told, body["type"], body.error.type, body.error.code]).to.deep.equal([
            seen,
            "error",
            type,
            code,
          ]);
          expect(body["request_id"]).to.be.a("string");
        },
      );
    }
  }

  verifies("messages:errors", "tells an unknown model and a body that is no JSON", async () => {
    const unknown = await ask({ model: "nobody/nothing" });
    expect([unknown.status, unknown.body.error.type, unknown.body.error.code]).to.deep.equal([
      404,
      "not_found_error",
      "model_not_found",
    ]);
    const torn = await scene.stage.host.json<MessageAnswer>(
      "POST",
      "/v1/messages/count_tokens",
      "{ not json",
    );
    expect([torn.status, torn.body["type"], torn.body.error.type]).to.deep.equal([
      400,
      "error",
      "invalid_request_error",
    ]);
  });

  verifies(
    "messages:errors",
    "ends a stream that has begun with an error event, and no message_stop",
    async () => {
      script([[{ text: "Partly" }, { error: { status: 500, message: "broke" } }]]);
      const events = await stream({});
      expect(events.slice(-2).map(({ type }) => type)).to.deep.equal(["content_block_stop", "error"]);
      expect(events.at(-1)?.["error"]).to.deep.include({ type: "api_error", code: "provider_error" });
      expect(events.some(({ type }) => type === "message_stop")).to.equal(false);
    },
  );

  verifies(
    "messages:count",
    "estimates the tokens of what is sent, tools and system too, and stores nothing",
    async () => {
      const count = async (more: object): Promise<number> => {
        const body = { model: "default", messages: [user("x".repeat(400))], ...more };
        return (
          await scene.stage.host.json<{ readonly input_tokens: number }>(
            "POST",
            "/v1/messages/count_tokens",
            body,
          )
        ).body.input_tokens;
      };
      const asked = scene.stage.provider.requests.length;
      const { body: before } = await scene.stage.host.json<{ readonly count: number }>("GET", "/api/runs");
      const plain = await count({});
      expect(plain).to.be.within(100, 102);
      expect(await count({ system: "x".repeat(400) })).to.be.within(plain + 100, plain + 102);
      expect(await count({ tools: [{ name: "f", description: "x".repeat(400) }] })).to.be.at.least(
        plain + 100,
      );
      const { body: after } = await scene.stage.host.json<{ readonly count: number }>("GET", "/api/runs");
      expect([scene.stage.provider.requests.length, after.count]).to.deep.equal([asked, before.count]);
    },
  );
});
