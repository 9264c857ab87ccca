import { expect } from "chai";
import { allChunks, chatReply, type ScriptTurn } from "@pergola/sdk/testing";
import { chat, sentBody, user, type WireMessage } from "../support/chat.ts";
import { openStage, type Stage } from "../support/host.ts";
import { verifies } from "../support/verifies.ts";

describe("custom tools of a chat", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.end());
  const question = [user("Edit it")];

  verifies("tools:caller", "C15: custom tools take free text, and their answers come back", async () => {
    const custom = { type: "custom", custom: { name: "apply_patch", description: "Edits files" } };
    const more = { tools: [custom], tool_choice: { type: "custom", custom: { name: "apply_patch" } } };
    const call: ScriptTurn = {
      toolCalls: [{ name: "apply_patch", arguments: { input: "*** Begin" }, id: "call_custom" }],
    };
    const expected = {
      id: "call_custom",
      type: "custom",
      custom: { name: "apply_patch", input: "*** Begin" },
    };
    const say = (messages: readonly WireMessage[], turn: ScriptTurn) => {
      stage.provider.play([chatReply(turn)]);
      return chat(stage, { messages, ...more });
    };
    const { body } = await say(question, call);
    expect(body.choices[0]?.message["tool_calls"]).to.deep.equal([expected]);
    expect(sentBody(stage)["tool_choice"]).to.deep.equal({
      type: "function",
      function: { name: "apply_patch" },
    });
    const next = [
      ...question,
      { role: "assistant", content: null, tool_calls: [expected] },
      { role: "tool", tool_call_id: "call_custom", content: "Done!" },
    ];
    await say(next, { text: "It is in." });
    const sent = sentBody(stage).messages.filter(({ role }) => role !== "system");
    expect(sent.map(({ role }) => role)).to.deep.equal(["user", "assistant", "tool"]);
    expect(sent[2]?.content).to.equal("Done!");
  });

  verifies("tools:caller", "C15: a streamed call of a custom tool has its text as input", async () => {
    stage.provider.play([
      chatReply({ toolCalls: [{ name: "run_sql", arguments: { input: "select 1" }, id: "call_sql" }] }),
    ]);
    const chunks = await allChunks(
      await stage.host.request("POST", "/api/chat/completions", {
        model: "default",
        messages: question,
        tools: [{ type: "custom", custom: { name: "run_sql" } }],
        stream: true,
      }),
    );
    const made = chunks.flatMap(({ choices = [] }) => choices[0]?.delta["tool_calls"] ?? []);
    expect(made).to.deep.equal([
      { index: 0, id: "call_sql", type: "custom", custom: { name: "run_sql", input: "" } },
      { index: 0, custom: { input: "select 1" } },
    ]);
  });
});
