import { expect } from "chai";
import { chatReply, type ScriptStep, type ScriptTurn } from "@pergola/sdk/testing";
import { chat, user } from "../support/chat.ts";
import { openStage, type Stage } from "../support/host.ts";
import { verifies } from "../support/verifies.ts";

const think = (thoughts: string): ScriptStep => ({ toolCalls: [{ name: "think", arguments: { thoughts } }] });
const counted = (promptTokens: number, completionTokens: number) => ({
  usage: { promptTokens, completionTokens },
});

describe("a chat answer", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage(undefined, {
      settings: { "models.prices": { "custom/dear": { prompt: 0.5, completion: 2 } } },
    });
  });
  after(() => stage.end());

  const messages = [user("Hello")];
  const answered = async (script: readonly ScriptTurn[], more: object = {}) => {
    stage.provider.play(script.map(chatReply));
    return (await chat(stage, { messages, ...more })).body;
  };

  verifies("chat:response", "has the documented shape", async () => {
    const before = Math.floor(Date.now() / 1000);
    const answer = await answered([[{ text: "Hi." }, counted(10, 3)]]);
    expect(answer.id).to.match(/^chatcmpl-[A-Za-z0-9]{24}$/);
    expect(answer).to.include({ object: "chat.completion", model: "custom/test" });
    expect(answer["created"]).to.be.within(before, Math.floor(Date.now() / 1000));
    expect(answer.choices).to.deep.equal([
      { index: 0, message: { role: "assistant", content: "Hi." }, finish_reason: "stop" },
    ]);
    expect(answer.usage).to.deep.equal({ prompt_tokens: 10, completion_tokens: 3, total_tokens: 13 });
    expect(Object.keys(answer)).to.have.members([
      "id",
      "object",
      "created",
      "model",
      "choices",
      "usage",
      "service_metadata",
    ]);
  });

  verifies(
    ["chat:response", "C02"],
    "names its conversation and its run in headers and metadata",
    async () => {
      stage.provider.play(chatReply({ text: "Hi." }));
      const { headers, body } = await chat(stage, { messages });
      const { conversation_id: id, run_id: run } = body.service_metadata;
      expect(id).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(run).to.match(/^run_[0-9a-f]{32}$/);
      expect([headers.get("x-conversation-id"), headers.get("x-run-id")]).to.deep.equal([id, run]);
    },
  );

  verifies(
    "chat:response",
    "holds the last iteration's text, or all that was streamed when that is empty",
    async () => {
      const last = await answered([[{ text: "Let me think." }, think("hm")], { text: "Done." }]);
      expect(last.choices[0]?.message.content).to.equal("Done.");
      const streamed = await answered([[{ text: "This is it." }, think("hm")], [], []]);
      expect(streamed.choices[0]?.message.content).to.equal("This is it.");
    },
  );

  verifies(["chat:metadata", "C11"], "tells the provider, the model, the work and the cost", async () => {
    const answer = await answered([think("one"), think("two"), [{ text: "Done." }, counted(100, 10)]], {
      model: "custom/dear",
      max_tokens: 7,
    });
    const { provider, model_info, workflow, cost_estimate, ...rest } = answer.service_metadata;
    expect(provider).to.deep.equal({
      type: "custom",
      name: "Custom",
      is_local: true,
      base_url: stage.provider.url,
      id: "custom",
    });
    expect(model_info).to.deep.equal({
      context_window: 32768,
      max_output_tokens: 4096,
      supports_tools: true,
      supports_vision: false,
      supports_streaming: true,
      family: "dear",
      source: "guess",
    });
    expect(workflow).to.include({
      iterations: 3,
      max_iterations: 300,
      tool_call_count: 2,
      completion_reason: "workflow_complete",
      had_errors: false,
    });
    expect(workflow["tools_used"]).to.deep.equal(["think"]);
    expect(workflow["duration_seconds"]).to.be.a("number").within(0, 10);
    const { prompt_tokens = 0, completion_tokens = 0 } = answer.usage;
    expect(cost_estimate).to.deep.equal({
      estimated_cost_usd: (prompt_tokens * 0.5 + completion_tokens * 2) / 1000,
      prompt_cost_per_1k: 0.5,
      completion_cost_per_1k: 2,
      currency: "USD",
      note: "prices of models.prices",
      known: true,
    });
    expect(rest).to.have.all.keys("conversation_id", "run_id", "usage_source", "warnings", "memories");
  });

  verifies("chat:metadata", "names no tool when none was used, and notes failed calls", async () => {
    const plain = await answered([{ text: "Hi." }]);
    expect(plain.service_metadata.workflow).to.deep.include({
      tools_used: [],
      tool_call_count: 0,
      had_errors: false,
    });
    const failed = await answered([
      { toolCalls: [{ name: "no_such_tool", arguments: {} }] },
      { text: "Sorry." },
    ]);
    expect(failed.service_metadata.workflow).to.include({
      had_errors: true,
      completion_reason: "workflow_complete",
    });
  });

  verifies(["chat:metadata", "C10"], "sums the provider's usage over all iterations", async () => {
    const answer = await answered([
      [think("one"), counted(100, 10)],
      [{ text: "Done." }, counted(150, 20)],
    ]);
    expect(answer.usage).to.deep.equal({ prompt_tokens: 250, completion_tokens: 30, total_tokens: 280 });
    expect(answer.service_metadata["usage_source"]).to.equal("provider");
  });

  verifies("chat:metadata", "sums the details of usage too, as far as the provider tells them", async () => {
    const detailed = (cachedTokens: number, reasoningTokens?: number): ScriptStep => ({
      usage: {
        promptTokens: 100,
        completionTokens: 10,
        cachedTokens,
        ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
      },
    });
    const answer = await answered([
      [think("one"), detailed(40)],
      [think("two"), counted(100, 10)],
      [{ text: "Done." }, detailed(90, 7)],
    ]);
    expect(answer.usage).to.deep.equal({
      prompt_tokens: 300,
      completion_tokens: 30,
      total_tokens: 330,
      prompt_tokens_details: { cached_tokens: 130 },
      completion_tokens_details: { reasoning_tokens: 7 },
    });
  });

  verifies(
    ["chat:metadata", "C10"],
    "estimates the usage that the provider does not tell, and says so",
    async () => {
      const answer = await answered([{ text: "12345678" }]);
      expect(answer.usage["completion_tokens"]).to.equal(2);
      expect(answer.usage["prompt_tokens"]).to.be.above(100);
      expect(answer.service_metadata["usage_source"]).to.equal("estimated");
      const half = await answered([[think("one"), counted(100, 10)], { text: "Done." }]);
      expect(half.service_metadata["usage_source"]).to.equal("estimated");
    },
  );

  verifies(["chat:metadata", "C11"], "reports the limit in force", async () => {
    const limited = await answered([{ text: "Hi." }], { service_config: { max_iterations: 12 } });
    expect(limited.service_metadata.workflow["max_iterations"]).to.equal(12);
    const raised = await answered(
      [
        {
          toolCalls: [
            { name: "increase_max_iterations", arguments: { requested_iterations: 20, reason: "more" } },
          ],
        },
        { text: "Hi." },
      ],
      {
        maxIterations: 9,
      },
    );
    expect(raised.service_metadata.workflow["max_iterations"]).to.equal(20);
  });

  verifies(
    "C12",
    "takes its finish_reason from the model's last call and from the way the run ended",
    async () => {
      for (const reason of ["stop", "length", "content_filter"] as const) {
        const answer = await answered([[{ text: "Hi." }, { type: "end", reason }]]);
        expect(answer.choices[0]?.finish_reason).to.equal(reason);
      }
      const called = await answered([
        [{ text: "I think." }, think("one"), { type: "end", reason: "length" }],
        { text: "Hi." },
      ]);
      expect(called.choices[0]?.finish_reason).to.equal("stop");
      const limited = await answered([think("one")], { maxIterations: 1 });
      expect([
        limited.choices[0]?.finish_reason,
        limited.service_metadata.workflow["completion_reason"],
      ]).to.deep.equal(["length", "max_iterations_reached"]);
      const tools = [{ type: "function", function: { name: "mine" } }];
      const callers = await answered([{ toolCalls: [{ name: "mine", arguments: {} }] }], { tools });
      expect(callers.choices[0]?.finish_reason).to.equal("tool_calls");
    },
  );

  verifies("chat:response", "holds reasoning only when it is asked for", async () => {
    const script: ScriptTurn[] = [[{ reasoning: "Hm." }, { text: "<think>Ha.</think>Hi." }]];
    expect((await answered(script)).choices[0]?.message).to.deep.equal({ role: "assistant", content: "Hi." });
    const shown = await answered(script, { service_config: { thinking: { include_thinking: true } } });
    expect(shown.choices[0]?.message).to.deep.equal({
      role: "assistant",
      content: "Hi.",
      reasoning_content: "Hm.Ha.",
    });
  });

  verifies("chat:legacy-metadata", "repeats its metadata as sam_metadata only when asked to", async () => {
    const plain = await answered([{ text: "Hi." }]);
    expect(plain).to.not.have.property("sam_metadata");
    const legacy = await answered([{ text: "Hi." }], { service_config: { legacy_metadata: true } });
    expect(legacy["sam_metadata"]).to.deep.equal(legacy.service_metadata);
  });

  describe("of a service with server.legacy_metadata", () => {
    let older: Stage;
    before(async () => {
      older = await openStage(undefined, { settings: { "server.legacy_metadata": true } });
    });
    after(() => older.end());

    verifies("chat:legacy-metadata", "repeats its metadata unless told not to", async () => {
      expect((await chat(older, { messages })).body).to.have.property("sam_metadata");
      expect(
        (await chat(older, { messages, service_config: { legacy_metadata: false } })).body,
      ).to.not.have.property("sam_metadata");
    });
  });
});
