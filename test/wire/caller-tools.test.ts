import { expect } from "chai";
import { allChunks, chatReply, type ScriptTurn, type StreamChunk } from "@pergola/sdk/testing";
import { chat, detailOf, sentBody, sentTurns, storedTurns, user, type WireMessage } from "../support/chat.ts";
import { openStage, type Stage } from "../support/host.ts";
import { verifies } from "../support/verifies.ts";
import { tool, calls, think } from "./caller-tools-scene.ts";

const answer = (tool_call_id: string, content = "sunny"): WireMessage => ({
  role: "tool",
  tool_call_id,
  content,
});

describe("the caller's tools", () => {
  let stage: Stage;
  let conversationId: string;
  let number = 0;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.end());
  beforeEach(() => {
    conversationId = `tools ${(number += 1)}`;
  });

  const say = async (messages: readonly WireMessage[], script: readonly ScriptTurn[], more: object = {}) => {
    stage.provider.play(script.map(chatReply));
    return chat(stage, { messages, conversationId, tools: [tool("weather"), tool("traffic")], ...more });
  };
  const asked = (body: { readonly choices: readonly { readonly message: WireMessage }[] }) =>
    (body.choices[0]?.message["tool_calls"] ?? []) as readonly {
      readonly id: string;
      readonly function: { readonly name: string; readonly arguments: string };
    }[];
  const question = [user("How is Oslo?")];

  verifies(["tools:caller", "C13"], "are returned when the model calls them", async () => {
    const { body } = await say(question, [calls("weather")]);
    expect(body.choices[0]?.finish_reason).to.equal("tool_calls");
    expect(body.choices[0]?.message).to.deep.include({ role: "assistant", content: null });
    expect(asked(body)).to.deep.equal([
      {
        id: asked(body)[0]?.id,
        type: "function",
        function: { name: "weather", arguments: '{"city":"Oslo"}' },
      },
    ]);
    expect(body.service_metadata.workflow).to.include({
      completion_reason: "workflow_complete",
      iterations: 1,
    });
  });

  verifies(["tools:caller", "C13"], "are answered by tool messages alone", async () => {
    const { body } = await say(question, [calls("weather", "traffic")]);
    const [one, two] = asked(body).map(({ id }) => id);
    const { body: next } = await say(
      [answer(two as string, "jam"), answer(one as string)],
      [{ text: "Sunny, jam." }],
    );
    expect(next.choices[0]?.message.content).to.equal("Sunny, jam.");
    const sent = sentBody(stage).messages.filter(({ role }) => role !== "system");
    const [call, ...results] = sent.slice(1) as {
      role: string;
      tool_calls: { id: string }[];
      tool_call_id: string;
      content: string;
    }[];
    expect(results.map(({ tool_call_id }) => tool_call_id)).to.have.members(
      call?.tool_calls.map(({ id }) => id) ?? [],
    );
    expect(results.map(({ content }) => content)).to.have.members(["sunny", "jam"]);
    expect((await detailOf(stage.host, conversationId)).messageCount).to.equal(5);
  });

  verifies(["tools:caller", "C13"], "are answered by the whole history, stored once", async () => {
    const { body } = await say(question, [calls("weather")]);
    const message = body.choices[0]?.message as WireMessage;
    await say([...question, message, answer(asked(body)[0]?.id as string)], [{ text: "Sunny." }]);
    const whole = ["user: How is Oslo?", "assistant: null", "tool: sunny", "assistant: Sunny."];
    expect(await storedTurns(stage.host, conversationId)).to.deep.equal(whole);
    await say(
      [
        ...question,
        message,
        answer(asked(body)[0]?.id as string),
        { role: "assistant", content: "Sunny." },
        user("Thanks"),
      ],
      [{ text: "Welcome." }],
    );
    expect(await storedTurns(stage.host, conversationId)).to.deep.equal([
      ...whole,
      "user: Thanks",
      "assistant: Welcome.",
    ]);
  });

  verifies(["tools:caller", "S03"], "are streamed as tool call deltas, with one finish_reason", async () => {
    stage.provider.play([chatReply([{ text: "Let me see." }, calls("weather", "traffic") as never])]);
    const body = {
      model: "default",
      messages: question,
      conversationId,
      stream: true,
      tools: [tool("weather"), tool("traffic")],
    };
    const chunks = await allChunks(await stage.host.request("POST", "/api/chat/completions", body));
    const deltas = chunks.flatMap(
      (chunk) =>
        (chunk.choices?.[0]?.delta["tool_calls"] ?? []) as readonly {
          index: number;
          id?: string;
          type?: string;
          function: { name?: string; arguments: string };
        }[],
    );
    expect(
      deltas
        .filter(({ id }) => id !== undefined)
        .map(({ index, type, function: { name } }) => [index, type, name]),
    ).to.deep.equal([
      [0, "function", "weather"],
      [1, "function", "traffic"],
    ]);
    for (const index of [0, 1])
      expect(
        deltas
          .filter((delta) => delta.index === index)
          .map((delta) => delta.function.arguments)
          .join(""),
      ).to.equal('{"city":"Oslo"}');
    const reasons = (chunk: StreamChunk) =>
      (chunk.choices ?? []).flatMap(({ finish_reason }) => finish_reason ?? []);
    expect(chunks.flatMap(reasons)).to.deep.equal(["tool_calls"]);
  });

  verifies(
    "tools:caller",
    "of one batch with built-in ones: those are run first and never returned",
    async () => {
      const { body } = await say(
        question,
        [{ toolCalls: [think, { name: "weather", arguments: {}, id: "call_w" }] }],
        {
          tools: [tool("weather"), { type: "function", function: { name: "think" } }],
        },
      );
      expect(asked(body).map((call) => call.function.name)).to.deep.equal(["weather"]);
      expect(body.service_metadata.workflow).to.deep.include({ tools_used: ["think"], tool_call_count: 1 });
      const { status, body: next } = await say([answer(asked(body)[0]?.id as string)], [{ text: "Sunny." }]);
      expect(status, JSON.stringify(next)).to.equal(200);
      expect(sentTurns(stage).map((turn) => turn.split(":")[0])).to.deep.equal([
        "user",
        "assistant",
        "tool",
        "tool",
      ]);
    },
  );

  verifies("tools:caller", "keep an id that the provider uses again apart", async () => {
    const ids: string[] = [];
    for (let time = 0; time < 3; time++) {
      const { body } = await say([user(`Again ${time}`)], [calls("weather")]);
      const id = asked(body)[0]?.id as string;
      ids.push(id);
      await say([answer(id, `result ${time}`)], [{ text: "Ok." }]);
    }
    expect(new Set(ids).size).to.equal(3);
    const sent = sentBody(stage).messages as readonly {
      role: string;
      tool_call_id?: string;
      content: string;
    }[];
    expect(sent.filter(({ role }) => role === "tool").map(({ content }) => content)).to.deep.equal([
      "result 0",
      "result 1",
      "result 2",
    ]);
    expect(sent.filter(({ role }) => role === "tool").map(({ tool_call_id }) => tool_call_id)).to.deep.equal(
      Array(3).fill("call_weather"),
    );
  });

  verifies("tools:unknown-answer", "refuse an answer to a call that nobody made", async () => {
    await say(question, [{ text: "Fine." }]);
    const { status, body } = await say([answer("call_none")], [{ text: "?" }]);
    expect([status, body.error.code, body.error.param]).to.deep.equal([
      400,
      "unknown_tool_call_id",
      "messages",
    ]);
    expect(body.error.message).to.contain("call_none");
  });

  verifies("tools:missing-answer", "need an answer to every open call", async () => {
    const { body } = await say(question, [calls("weather", "traffic")]);
    const [one, two] = asked(body).map(({ id }) => id);
    const refused = await say([answer(one as string)], [{ text: "?" }]);
    expect([refused.status, refused.body.error.code]).to.deep.equal([400, "missing_tool_result"]);
    expect(refused.body.error.message).to.contain(two).and.not.contain(one);
    const { status } = await say([answer(one as string), answer(two as string)], [{ text: "Both." }]);
    expect(status).to.equal(200);
  });

  verifies("tools:abandoned", "are closed as cancelled by a new user message", async () => {
    const { body } = await say(question, [calls("weather")]);
    const message = body.choices[0]?.message as WireMessage;
    await say([user("Never mind")], [{ text: "Fine." }]);
    expect(sentTurns(stage)[2]).to.match(/^tool: .*cancelled/);
    const stored = await storedTurns(stage.host, conversationId);
    expect(stored.filter((turn) => turn.startsWith("tool:")).join()).to.contain("cancelled");
    await say(
      [...question, message, user("Never mind"), { role: "assistant", content: "Fine." }, user("Bye")],
      [{ text: "Bye." }],
    );
    expect(await storedTurns(stage.host, conversationId), "nothing is stored twice").to.deep.equal([
      ...stored,
      "user: Bye",
      "assistant: Bye.",
    ]);
    const late = await say([answer(asked(body)[0]?.id as string)], [{ text: "?" }]);
    expect([late.status, late.body.error.code]).to.deep.equal([400, "unknown_tool_call_id"]);
  });
});
