import { expect } from "chai";
import { chatReply, streamLines, type ScriptTurn } from "@pergola/sdk/testing";
import { detailOf, sentBody, sentTurns, storedTurns } from "../support/chat.ts";
import { openStage } from "../support/host.ts";
import {
  asksWeather,
  responsesScene,
  textOf,
  think,
  weather,
  type ResponseAnswer,
  type ResponseEvent,
} from "../support/responses-scene.ts";
import { verifies } from "../support/verifies.ts";

describe("POST /v1/responses, in a conversation", () => {
  const scene = responsesScene();
  const { create, open, stream } = scene;

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
    const sent = sentBody(scene.stage).messages.filter(({ role }) => role !== "system");
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
      expect(sentTurns(scene.stage)).to.deep.equal(["user: One", "assistant: first", "user: Two"]);
      expect(JSON.stringify(sentBody(scene.stage))).to.not.include("Be brief.");
    },
  );

  verifies("responses:previous", "is known after a restart of the service", async () => {
    const kept = await openStage([chatReply({ text: "first" }), chatReply({ text: "second" })], {
      settings: { storage: { type: "sqlite" } },
    });
    const ask = async (body: object) =>
      (await kept.host.json<ResponseAnswer>("POST", "/v1/responses", { model: "default", ...body })).body;
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
      expect(sentTurns(scene.stage)).to.deep.equal(["user: One", "assistant: first", "user: Other"]);
      expect(branch.conversation.id).to.equal(first.conversation.id);
      const { id } = first.conversation;
      expect(await storedTurns(scene.stage.host, id)).to.deep.equal([
        "user: One",
        "assistant: first",
        "user: Other",
        "assistant: third",
      ]);
      await create({ input: "Three", previous_response_id: second.id });
      expect(sentTurns(scene.stage)).to.deep.equal([
        "user: One",
        "assistant: first",
        "user: Two",
        "assistant: second",
        "user: Three",
      ]);
      expect(await scene.stage.host.services.conversations.branches(id)).to.have.lengthOf(2);
      await create({ input: "More", previous_response_id: branch.id });
      expect(sentTurns(scene.stage)).to.deep.equal([
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
    expect(sentTurns(scene.stage)).to.deep.equal(["user: One", "assistant: first", "user: Two"]);
    expect((await detailOf(scene.stage.host, "my talk")).messageCount).to.equal(4);
  });

  verifies("responses:store", "H4: leaves a stored conversation alone whose history it repeats", async () => {
    const { body: first } = await create({ input: "A story" }, [{ text: "Once." }]);
    const input = [
      { role: "user", content: "A story" },
      { role: "assistant", content: "Once." },
      { role: "user", content: "And then?" },
    ];
    await create({ input, store: false }, [{ text: "Never." }]);
    expect(await storedTurns(scene.stage.host, first.conversation.id)).to.deep.equal([
      "user: A story",
      "assistant: Once.",
    ]);
  });

  verifies(
    "responses:store",
    "leaves no conversation, though the answer is whole, as JSON and in a stream",
    async () => {
      const kept = async () =>
        (await scene.stage.host.services.conversations.list({ includeHidden: true })).count;
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
      expect(sentTurns(scene.stage)).to.deep.equal(["user: One", "assistant: first", "user: Two"]);
      const { status } = await scene.stage.host.json(
        "GET",
        `/v1/conversations/${headers.get("x-conversation-id")}`,
      );
      const events = await stream({ store: false });
      expect([status, events.at(-1)?.type, await kept()]).to.deep.equal([404, "response.completed", before]);
      expect(await storedTurns(scene.stage.host, first.conversation.id)).to.deep.equal([
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
      expect(await storedTurns(scene.stage.host, first.conversation.id)).to.deep.equal([
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
      const number = scene.stage.provider.requests.length;
      scene.stage.provider.play([chatReply([{ text: "One" }, { hang: true }])]);
      const controller = new AbortController();
      const answer = open({ stream: streamed }, controller.signal);
      answer.catch(() => undefined);
      const asked = await scene.stage.provider.request(number);
      if (streamed) await answer;
      controller.abort();
      expect(await asked.outcome).to.equal("aborted");
    }
  });

  verifies("responses:close", "a run cancelled elsewhere ends its stream with what was said", async () => {
    scene.stage.provider.play([chatReply([{ text: "One" }, { hang: true }])]);
    const answer = await open({});
    const events: ResponseEvent[] = [];
    for await (const line of streamLines(answer)) {
      const event = JSON.parse(line) as ResponseEvent;
      events.push(event);
      if (event.type === "response.output_text.delta")
        await scene.stage.host.json("DELETE", `/api/runs/${answer.headers.get("x-run-id")}`);
    }
    expect(events.at(-1)).to.deep.nested.include({
      type: "response.incomplete",
      "response.status": "cancelled",
    });
    expect(textOf(events.at(-1)?.response as ResponseAnswer)).to.equal("One");
  });
});
