import { expect } from "chai";
import type { ScriptTurn } from "@pergola/sdk/testing";
import { sentBody, storedTurns } from "../support/chat.ts";
import { responsesScene, textOf, think, weather, type ResponseAnswer } from "../support/responses-scene.ts";
import { verifies } from "../support/verifies.ts";

describe("POST /v1/responses", () => {
  const scene = responsesScene();
  const { create, stream } = scene;

  verifies("responses:answer", "answers in the format's shape, and stores the turns", async () => {
    const usage = { promptTokens: 11, completionTokens: 3 };
    const { status, headers, body } = await create({ metadata: { mine: "1" } }, [
      [{ text: "Good day." }, { usage }],
    ]);
    expect(status).to.equal(200);
    expect(body).to.deep.include({
      object: "response",
      status: "completed",
      model: "custom/test",
      error: null,
      incomplete_details: null,
    });
    expect(body).to.deep.include({
      metadata: { mine: "1" },
      tools: [],
      tool_choice: "auto",
      previous_response_id: null,
      store: true,
    });
    expect(body.id).to.match(/^resp_[0-9a-f]{32}$/);
    expect(body["created_at"]).to.be.closeTo(Date.now() / 1000, 60);
    expect(body.usage).to.deep.equal({
      input_tokens: 11,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 3,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 14,
    });
    const part = { type: "output_text", text: "Good day.", annotations: [], logprobs: [] };
    expect(body.output).to.deep.equal([
      { id: body.output[0]?.id, type: "message", role: "assistant", status: "completed", content: [part] },
    ]);
    expect(body.conversation.id).to.equal(headers.get("x-conversation-id"));
    expect(body.service_metadata.run_id).to.equal(headers.get("x-run-id"));
    expect(body.service_metadata.workflow).to.include({
      iterations: 1,
      completion_reason: "workflow_complete",
    });
    expect(await storedTurns(scene.stage.host, body.conversation.id)).to.deep.equal([
      "user: Hi",
      "assistant: Good day.",
    ]);
  });

  verifies(
    "responses:answer",
    "has every field that Open Responses wants, from the first event on",
    async () => {
      const wanted =
        "id object created_at completed_at status incomplete_details model previous_response_id instructions " +
        "output error tools tool_choice truncation parallel_tool_calls text top_p presence_penalty " +
        "frequency_penalty top_logprobs temperature reasoning usage max_output_tokens max_tool_calls store " +
        "background service_tier metadata safety_identifier prompt_cache_key";
      const events = await stream({});
      const [first, last] = [events[0]?.["response"], events.at(-1)?.["response"]];
      for (const response of [(await create({})).body, first, last])
        expect(response).to.include.all.keys(...wanted.split(" "));
      expect([first, last]).to.have.nested.property("[0].completed_at", null);
      expect(last).to.have.property("completed_at").that.is.a("number");
    },
  );

  verifies("responses:answer", "tells what of all its calls was kept and what was thought", async () => {
    const usage = { promptTokens: 10, completionTokens: 3, cachedTokens: 4, reasoningTokens: 2 };
    const { body } = await create({}, [
      [think, { usage }],
      [{ text: "Done." }, { usage }],
    ]);
    expect(body.usage).to.deep.equal({
      input_tokens: 20,
      input_tokens_details: { cached_tokens: 8 },
      output_tokens: 6,
      output_tokens_details: { reasoning_tokens: 4 },
      total_tokens: 26,
    });
  });

  verifies("responses:answer", "runs the service's own tools and does not show their calls", async () => {
    const { body } = await create({}, [[{ text: "Looking." }, think], { text: "Done." }]);
    expect([body.output.length, textOf(body), body.status]).to.deep.equal([
      1,
      "Looking.\n\nDone.",
      "completed",
    ]);
    expect(body.service_metadata.workflow).to.deep.include({ iterations: 2, tools_used: ["think"] });
  });

  verifies("responses:answer", "is incomplete when the model ran out of tokens", async () => {
    const { body } = await create({}, [[{ text: "Half a sen" }, { type: "end", reason: "length" }]]);
    expect(body).to.deep.include({
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
    });
    expect(body.output[0]).to.include({ status: "incomplete" });
  });

  verifies(
    "responses:request",
    "hands instructions, sampling and the format of the answer on to the model",
    async () => {
      await create({
        instructions: "Be brief.",
        temperature: 0.2,
        top_p: 0.5,
        max_output_tokens: 77,
        parallel_tool_calls: false,
        tools: [weather],
        tool_choice: { type: "function", name: "weather" },
        text: { format: { type: "json_schema", name: "place", strict: true, schema: { type: "object" } } },
        reasoning: { effort: "minimal" },
      });
      const sent = sentBody(scene.stage);
      expect(sent).to.deep.include({
        temperature: 0.2,
        top_p: 0.5,
        max_tokens: 77,
        parallel_tool_calls: false,
        reasoning_effort: "low",
      });
      expect(sent["tool_choice"]).to.deep.equal({ type: "function", function: { name: "weather" } });
      expect(sent["response_format"]).to.deep.equal({
        type: "json_schema",
        json_schema: { name: "place", strict: true, schema: { type: "object" } },
      });
      expect(
        sent.messages.some(({ role, content }) => role === "system" && String(content).includes("Be brief.")),
      ).to.equal(true);
      expect(sent.tools?.map(({ function: { name } }) => name)).to.deep.equal(["weather"]);
    },
  );

  verifies("responses:request", "offers the built-in families, those that are named, or none", async () => {
    const offered = async (body: object) => {
      await create(body);
      return (sentBody(scene.stage).tools ?? []).map(({ function: { name } }) => name);
    };
    expect(await offered({})).to.include.members(["think", "file_operations"]);
    expect(await offered({ tools: [{ type: "function", name: "think" }, weather] })).to.have.members([
      "think",
      "weather",
    ]);
    expect(await offered({ service_config: { builtin_tools: "none" } })).to.deep.equal([]);
    expect(await offered({ tools: [weather], service_config: { builtin_tools: "all" } })).to.include.members([
      "think",
      "weather",
    ]);
  });

  verifies("responses:request", "shows reasoning when a summary is asked for, and only then", async () => {
    const script: ScriptTurn = [{ reasoning: "Let me think." }, { text: "42" }];
    const { body } = await create({ reasoning: { summary: "auto" } }, [script]);
    expect(body.output.map(({ type }) => type)).to.deep.equal(["reasoning", "message"]);
    expect(body.output[0]?.summary).to.deep.equal([{ type: "summary_text", text: "Let me think." }]);
    expect((await create({}, [script])).body.output.map(({ type }) => type)).to.deep.equal(["message"]);
  });

  for (const [body, code, param] of [
    [{ input: undefined }, "missing_field", "input"],
    [{ input: [] }, "invalid_value", "input"],
    [{ input: [{ type: "item_reference", id: "x" }] }, "not_found", "input[0].id"],
    [{ temperature: 3 }, "out_of_range", "temperature"],
    [{ tools: [{ type: "function" }] }, "invalid_value", "tools[0].name"],
    [{ tool_choice: "whatever" }, "invalid_value", "tool_choice"],
    [{ background: true, store: false }, "invalid_value", "background"],
    [{ previous_response_id: "resp_nobody" }, "not_found", "previous_response_id"],
    [{ previous_response_id: `resp_${"0".repeat(32)}` }, "not_found", "previous_response_id"],
    [
      { previous_response_id: `resp_${"0".repeat(32)}`, conversation: "mine" },
      "invalid_value",
      "previous_response_id",
    ],
    [{ conversation: "mine", store: false }, "invalid_value", "store"],
    [{ model: "nobody/none" }, "model_not_found", "model"],
  ] as const) {
    verifies("responses:request", `refuses ${JSON.stringify(body)} and names ${param}`, async () => {
      const number = scene.stage.provider.requests.length;
      const answer = await create(body);
      expect(answer.body.error).to.include({ code, param, type: "invalid_request_error" });
      expect(answer.status).to.equal(code.endsWith("not_found") ? 404 : 400);
      expect(scene.stage.provider.requests.length).to.equal(number);
    });
  }

  verifies(
    "responses:stream",
    "tells a response from its making to its end, numbered without a gap",
    async () => {
      const events = await stream({}, [{ text: ["Good ", "day."] }]);
      expect(events.map(({ sequence_number: number }) => number)).to.deep.equal(
        events.map((_, index) => index),
      );
      const types = events.map(({ type }) => type).filter((type) => type !== "keepalive");
      expect([...new Set(types)]).to.deep.equal([
        "response.created",
        "response.in_progress",
        "response.output_item.added",
        "response.content_part.added",
        "response.output_text.delta",
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.completed",
      ]);
      const last = events.at(-1)?.response;
      expect(events[0]?.response).to.deep.include({
        id: last?.id,
        status: "in_progress",
        output: [],
        usage: null,
      });
      expect(last).to.include({ status: "completed" });
      expect(events.map(({ delta = "" }) => delta).join("")).to.equal("Good day.");
      expect(textOf(last as ResponseAnswer)).to.equal("Good day.");
    },
  );
});
