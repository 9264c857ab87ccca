import { expect } from "chai";
import { chatReply, streamLines, type ScriptStep, type ScriptTurn } from "@pergola/sdk/testing";
import { detailOf, sentBody, sentTurns, storedTurns } from "../support/chat.ts";
import { openStage, type Stage } from "../support/host.ts";
import { verifies } from "../support/verifies.ts";

interface Item {
  readonly type: string;
  readonly id: string;
  readonly status: string;
  readonly call_id: string;
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly summary: readonly { readonly text: string }[];
  readonly [key: string]: unknown;
}

interface Answer {
  readonly id: string;
  readonly status: string;
  readonly output: readonly Item[];
  readonly conversation: { readonly id: string };
  readonly usage: Readonly<Record<string, unknown>>;
  readonly service_metadata: {
    readonly run_id: string;
    readonly workflow: object;
    readonly conversation_id: string | null;
  };
  readonly error: { readonly code: string; readonly message: string; readonly param?: string };
  readonly [key: string]: unknown;
}

interface Event {
  readonly type: string;
  readonly sequence_number: number;
  readonly response: Answer;
  readonly delta: string;
  readonly [key: string]: unknown;
}

const weather = {
  type: "function",
  name: "weather",
  description: "Of a city",
  parameters: { type: "object", properties: { city: {} } },
};
const asksWeather: ScriptTurn = {
  toolCalls: [{ name: "weather", arguments: { city: "Oslo" }, id: "call_w" }],
};
const think: ScriptStep = { toolCalls: [{ name: "think", arguments: { thoughts: "hm" } }] };
const textOf = ({ output }: Answer): string =>
  output.flatMap(({ content = [] }) => content.map(({ text }) => text)).join("");

describe("POST /v1/responses", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage(undefined, { settings: { "stream.ping_seconds": 1 } });
  });
  after(() => stage.end());

  const create = async (body: object, script: readonly ScriptTurn[] = [{ text: "Hello." }]) => {
    stage.provider.play(script.map(chatReply));
    return stage.host.json<Answer>("POST", "/v1/responses", { model: "default", input: "Hi", ...body });
  };
  const open = (body: object, signal?: AbortSignal) =>
    fetch(`${stage.host.url}/v1/responses`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "default", input: "Hi", stream: true, ...body }),
      ...(signal === undefined ? {} : { signal }),
    });
  const stream = async (body: object, script: readonly ScriptTurn[] = [{ text: "Hello." }]) => {
    stage.provider.play(script.map(chatReply));
    const events: Event[] = [];
    for await (const line of streamLines(await open(body))) events.push(JSON.parse(line) as Event);
    return events;
  };

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
    expect(await storedTurns(stage.host, body.conversation.id)).to.deep.equal([
      "user: Hi",
      "assistant: Good day.",
    ]);
  });

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
      const sent = sentBody(stage);
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
      return (sentBody(stage).tools ?? []).map(({ function: { name } }) => name);
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
      const number = stage.provider.requests.length;
      const answer = await create(body);
      expect(answer.body.error).to.include({ code, param, type: "invalid_request_error" });
      expect(answer.status).to.equal(code.endsWith("not_found") ? 404 : 400);
      expect(stage.provider.requests.length).to.equal(number);
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
      expect(textOf(last as Answer)).to.equal("Good day.");
    },
  );

  verifies("responses:stream", "names each event, and ends without any other line", async () => {
    stage.provider.play([chatReply({ text: "Hello." })]);
    const answer = await open({});
    expect(answer.headers.get("content-type")).to.equal("text/event-stream; charset=utf-8");
    const blocks = (await answer.text()).trimEnd().split("\n\n");
    for (const block of blocks) {
      const [, name, data = ""] = /^event: (.+)\ndata: (.+)$/.exec(block) ?? [];
      expect((JSON.parse(data) as Event).type).to.equal(name);
    }
    expect(blocks.at(-1)).to.match(/^event: response\.completed\n/);
  });

  verifies(
    "responses:stream",
    "tells tools at work and questions beside, on events that clients pass over",
    async () => {
      stage.provider.play([chatReply(think), chatReply({ text: "Done." })]);
      const events: Event[] = [];
      for await (const line of streamLines(await open({}))) events.push(JSON.parse(line) as Event);
      const tools = events.filter(
        ({ type, isToolMessage }) => type === "keepalive" && isToolMessage === true,
      );
      expect(tools.map(({ toolStatus }) => toolStatus)).to.include.members(["running", "success"]);
      expect(tools[0]).to.include({ toolName: "think" });
    },
  );

  verifies(
    "responses:stream",
    "a question to the person travels on it and its answer lets the run go on",
    async () => {
      stage.provider.play([
        chatReply({
          toolCalls: [
            { name: "user_collaboration", arguments: { operation: "request_input", prompt: "Which?" } },
          ],
        }),
        chatReply({ text: "Blue it is." }),
      ]);
      let text = "";
      for await (const line of streamLines(await open({}))) {
        const event = JSON.parse(line) as Event;
        const asked = event["event"] as { readonly type: string; readonly toolCallId: string } | undefined;
        if (asked?.type === "user_input_required") {
          const { status } = await stage.host.json("POST", "/api/chat/tool-response", {
            toolCallId: asked.toolCallId,
            userResponse: "blue",
          });
          expect(status).to.equal(200);
        }
        if (event.type === "response.completed") text = textOf(event.response);
      }
      expect(text).to.match(/^\[Waiting for your answer: .*\]\n\nBlue it is\.$/);
    },
  );

  for (const streamed of [false, true]) {
    const how = streamed ? "in a stream" : "as JSON";
    verifies(
      "responses:tools",
      `hands a call of the caller's function back, and takes its output, ${how}`,
      async () => {
        const ask = async (body: object, script: readonly ScriptTurn[]) =>
          streamed
            ? ((await stream(body, script)).at(-1) as Event).response
            : (await create(body, script)).body;
        const first = await ask({ input: "Weather in Oslo?", tools: [weather] }, [asksWeather]);
        expect(first.status).to.equal("completed");
        const [call] = first.output;
        expect(first.output.map(({ type }) => type)).to.deep.equal(["function_call"]);
        expect(call).to.include({ name: "weather", arguments: '{"city":"Oslo"}', status: "completed" });
        const input = [{ type: "function_call_output", call_id: call?.call_id, output: "rain" }];
        const second = await ask({ input, previous_response_id: first.id, tools: [weather] }, [
          { text: "It rains." },
        ]);
        expect(textOf(second)).to.equal("It rains.");
        expect(second["previous_response_id"]).to.equal(first.id);
        expect(second.conversation.id).to.equal(first.conversation.id);
        const sent = sentBody(stage).messages.filter(({ role }) => role !== "system");
        expect(sent.map(({ role }) => role)).to.deep.equal(["user", "assistant", "tool"]);
        expect(sent[2]?.content).to.equal("rain");
      },
    );
  }

  verifies("responses:tools", "takes a whole history of items as well", async () => {
    const { body } = await create({ input: "Weather in Oslo?", tools: [weather] }, [asksWeather]);
    const input = [
      { role: "user", content: "Weather in Oslo?" },
      ...body.output,
      {
        type: "function_call_output",
        call_id: body.output[0]?.call_id,
        output: [{ type: "input_text", text: "rain" }],
      },
    ];
    expect(textOf((await create({ input, tools: [weather] }, [{ text: "It rains." }])).body)).to.equal(
      "It rains.",
    );
    const sent = sentBody(stage).messages.filter(({ role }) => role !== "system");
    expect(
      sent.map(({ role, content }) => `${role}: ${role === "user" ? "" : String(content)}`),
    ).to.deep.equal(["user: ", "assistant: null", "tool: rain"]);
  });

  verifies(
    "responses:tools",
    "refuses outputs of calls that nobody made, and a turn that leaves calls open",
    async () => {
      const { body } = await create({ input: "Weather?", tools: [weather] }, [
        { toolCalls: ["Oslo", "Rome"].map((city) => ({ name: "weather", arguments: { city } })) },
      ]);
      const answer = (call_id: string | undefined) => [
        { type: "function_call_output", call_id, output: "rain" },
      ];
      const unknown = await create({
        previous_response_id: body.id,
        input: answer("call_other"),
        tools: [weather],
      });
      expect([unknown.status, unknown.body.error.code]).to.deep.equal([400, "unknown_tool_call_id"]);
      const missing = await create({
        previous_response_id: body.id,
        input: answer(body.output[0]?.call_id),
        tools: [weather],
      });
      expect([missing.status, missing.body.error.code]).to.deep.equal([400, "missing_tool_result"]);
    },
  );

  verifies(
    "responses:previous",
    "goes on behind the newest response in its conversation, though a request between failed",
    async () => {
      const { body: first } = await create({ input: "One", instructions: "Be brief." }, [{ text: "first" }]);
      await create({ input: "x", previous_response_id: first.id }, [
        { error: { status: 400, message: "no" } },
      ]);
      const { body: second } = await create({ input: "Two", previous_response_id: first.id }, [
        { text: "second" },
      ]);
      expect(second.conversation.id).to.equal(first.conversation.id);
      expect(sentTurns(stage)).to.deep.equal(["user: One", "assistant: first", "user: Two"]);
      expect(JSON.stringify(sentBody(stage))).to.not.include("Be brief.");
    },
  );

  verifies("responses:previous", "is known after a restart of the service", async () => {
    const kept = await openStage([chatReply({ text: "first" }), chatReply({ text: "second" })], {
      settings: { storage: { type: "sqlite" } },
    });
    const ask = async (body: object) =>
      (await kept.host.json<Answer>("POST", "/v1/responses", { model: "default", ...body })).body;
    const first = await ask({ input: "One" });
    await kept.host.restart();
    const second = await ask({ input: "Two", previous_response_id: first.id });
    expect([textOf(second), second.conversation.id]).to.deep.equal(["second", first.conversation.id]);
    expect(sentTurns(kept)).to.deep.equal(["user: One", "assistant: first", "user: Two"]);
    await kept.end();
  });

  verifies(
    "responses:previous",
    "behind an older response another branch of the conversation begins, and the first stays as it is",
    async () => {
      const { body: first } = await create({ input: "One" }, [{ text: "first" }]);
      const { body: second } = await create({ input: "Two", previous_response_id: first.id }, [
        { text: "second" },
      ]);
      const { body: branch } = await create({ input: "Other", previous_response_id: first.id }, [
        { text: "third" },
      ]);
      expect(sentTurns(stage)).to.deep.equal(["user: One", "assistant: first", "user: Other"]);
      expect(branch.conversation.id).to.equal(first.conversation.id);
      const { id } = first.conversation;
      expect(await storedTurns(stage.host, id)).to.deep.equal([
        "user: One",
        "assistant: first",
        "user: Other",
        "assistant: third",
      ]);
      await create({ input: "Three", previous_response_id: second.id });
      expect(sentTurns(stage)).to.deep.equal([
        "user: One",
        "assistant: first",
        "user: Two",
        "assistant: second",
        "user: Three",
      ]);
      expect(await stage.host.services.conversations.branches(id)).to.have.lengthOf(2);
      await create({ input: "More", previous_response_id: branch.id });
      expect(sentTurns(stage)).to.deep.equal([
        "user: One",
        "assistant: first",
        "user: Other",
        "assistant: third",
        "user: More",
      ]);
    },
  );

  verifies("responses:previous", "a conversation can be named instead, by id or alias", async () => {
    const { body } = await create({ input: "One", conversation: { id: "my talk" } }, [{ text: "first" }]);
    await create({ input: "Two", conversation: body.conversation.id });
    expect(sentTurns(stage)).to.deep.equal(["user: One", "assistant: first", "user: Two"]);
    expect((await detailOf(stage.host, "my talk")).messageCount).to.equal(4);
  });

  verifies("responses:store", "H4: leaves a stored conversation alone whose history it repeats", async () => {
    const { body: first } = await create({ input: "A story" }, [{ text: "Once." }]);
    const input = [
      { role: "user", content: "A story" },
      { role: "assistant", content: "Once." },
      { role: "user", content: "And then?" },
    ];
    await create({ input, store: false }, [{ text: "Never." }]);
    expect(await storedTurns(stage.host, first.conversation.id)).to.deep.equal([
      "user: A story",
      "assistant: Once.",
    ]);
  });

  verifies(
    "responses:store",
    "leaves no conversation, though the answer is whole, as JSON and in a stream",
    async () => {
      const kept = async () => (await stage.host.services.conversations.list({ includeHidden: true })).count;
      const { body: first } = await create({ input: "One" }, [{ text: "first" }]);
      const before = await kept();
      const { body, headers } = await create({ store: false, input: "Two", previous_response_id: first.id }, [
        { text: "second" },
      ]);
      expect([
        textOf(body),
        body["store"],
        body.conversation,
        body.service_metadata.conversation_id,
      ]).to.deep.equal(["second", false, null, null]);
      expect(sentTurns(stage)).to.deep.equal(["user: One", "assistant: first", "user: Two"]);
      const { status } = await stage.host.json(
        "GET",
        `/v1/conversations/${headers.get("x-conversation-id")}`,
      );
      const events = await stream({ store: false });
      expect([status, events.at(-1)?.type, await kept()]).to.deep.equal([404, "response.completed", before]);
      expect(await storedTurns(stage.host, first.conversation.id)).to.deep.equal([
        "user: One",
        "assistant: first",
      ]);
      const refused = await create({ store: false }, [{ error: { status: 400, message: "no" } }]);
      expect([refused.status, await kept()]).to.deep.equal([400, before]);
    },
  );

  verifies(
    "responses:store",
    "never takes a stored conversation with it that has the same history",
    async () => {
      const { body: first } = await create({ input: "Same" }, [{ text: "first" }]);
      const history = [
        { role: "user", content: "Same" },
        { role: "assistant", content: "first" },
        { role: "user", content: "Next" },
      ];
      await create({ store: false, input: history });
      expect(await storedTurns(stage.host, first.conversation.id)).to.deep.equal([
        "user: Same",
        "assistant: first",
      ]);
    },
  );

  verifies("responses:failures", "is a plain HTTP error before the first byte", async () => {
    for (const body of [{}, { stream: true }]) {
      const { status, body: answer } = await create(body, [{ error: { status: 429, message: "slow down" } }]);
      expect([status, answer.error.code]).to.deep.equal([429, "provider_rate_limited"]);
    }
  });

  verifies("responses:failures", "is a failed response once something was seen", async () => {
    const script: readonly ScriptTurn[] = [
      [{ text: "Working." }, think],
      { error: { status: 500, message: "Broken sk-verysecretkey0123456789" } },
    ];
    const { status, body } = await create({}, script);
    expect([status, body.status, body.error.code]).to.deep.equal([200, "failed", "server_error"]);
    expect(textOf(body)).to.equal("Working.");
    const last = (await stream({}, script)).at(-1);
    expect([last?.type, last?.response.status]).to.deep.equal(["response.failed", "failed"]);
    expect(JSON.stringify([body, last])).to.not.include("sk-verysecretkey");
  });

  verifies("responses:close", "a client that leaves cancels its response, streamed or not", async () => {
    for (const streamed of [true, false]) {
      const number = stage.provider.requests.length;
      stage.provider.play([chatReply([{ text: "One" }, { hang: true }])]);
      const controller = new AbortController();
      const answer = open({ stream: streamed }, controller.signal);
      answer.catch(() => undefined);
      const asked = await stage.provider.request(number);
      if (streamed) await answer;
      controller.abort();
      expect(await asked.outcome).to.equal("aborted");
    }
  });

  verifies("responses:close", "a run cancelled elsewhere ends its stream with what was said", async () => {
    stage.provider.play([chatReply([{ text: "One" }, { hang: true }])]);
    const answer = await open({});
    const events: Event[] = [];
    for await (const line of streamLines(answer)) {
      const event = JSON.parse(line) as Event;
      events.push(event);
      if (event.type === "response.output_text.delta")
        await stage.host.json("DELETE", `/api/runs/${answer.headers.get("x-run-id")}`);
    }
    expect(events.at(-1)).to.deep.nested.include({
      type: "response.incomplete",
      "response.status": "cancelled",
    });
    expect(textOf(events.at(-1)?.response as Answer)).to.equal("One");
  });
});
