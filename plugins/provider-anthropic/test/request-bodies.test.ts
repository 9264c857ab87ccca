import { expect } from "chai";
import type { JsonObject, ModelCall, Sampling, Thinking } from "@pergola/sdk";
import { current, fieldsOf as ask, past, sent, tool, user } from "./support.ts";

const sampled = (sampling: Sampling, more: Partial<ModelCall> = {}) =>
  ask({ sampling: { maxTokens: 100, ...sampling }, ...more });
const thinking = (wish: Thinking, model = past, maxTokens = 100) =>
  ask({ model, sampling: { maxTokens }, thinking: wish });

describe("a body of the Messages format", () => {
  it("streams, names the model and its tools", async () => {
    const { body } = await sent({ tools: [tool] });
    expect(body).to.deep.equal({
      model: past,
      max_tokens: 100,
      stream: true,
      messages: [{ role: "user", content: [{ type: "text", text: "Hello" }] }],
      tools: [{ name: "todo_operations", description: "Keep a list.", input_schema: tool.parameters }],
    });
  });

  it("always has a limit of tokens: the model's own where nobody sets one", async () => {
    expect((await ask({ sampling: {} })).fields).to.deep.equal({ max_tokens: 64_000 });
  });

  const rows: readonly (readonly [
    what: string,
    sampling: Sampling,
    fields: object,
    warnings: readonly string[],
  ])[] = [
    ["the usual ones", { temperature: 0.7, topP: 1 }, { temperature: 0.7 }, []],
    ["top_p alone", { topP: 0.9 }, { top_p: 0.9 }, []],
    [
      "both",
      { temperature: 0.7, topP: 0.9 },
      { top_p: 0.9 },
      ["temperature was left out: only one of temperature and top_p is taken"],
    ],
    [
      "too warm",
      { temperature: 1.5 },
      { temperature: 1 },
      ["Anthropic takes temperatures from 0 to 1; 1 was sent instead of 1.5"],
    ],
    ["one stop text", { stop: "END" }, { stop_sequences: ["END"] }, []],
    [
      "stop texts",
      { stop: ["END", "\n"] },
      { stop_sequences: ["END"] },
      ["stop was left out where it is only white space"],
    ],
    ["a user", { user: "u1" }, { metadata: { user_id: "u1" } }, []],
    ["a seed", { seed: 7 }, {}, ["seed was left out: Anthropic does not take it"]],
    [
      "penalties",
      { repetitionPenalty: 1, presencePenalty: 0.1, frequencyPenalty: 0.2 },
      {},
      ["repetition_penalty", "presence_penalty", "frequency_penalty"].map(
        (name) => `${name} was left out: Anthropic does not take it`,
      ),
    ],
    [
      "an answer in JSON",
      { responseFormat: { type: "json_object" } },
      {},
      ["response_format was left out: the model only takes schemas, or none at all"],
    ],
    ["an answer in text", { responseFormat: { type: "text" } }, {}, []],
    [
      "a schema",
      { responseFormat: { type: "json_schema", json_schema: { name: "x", schema: { type: "object" } } } },
      { output_config: { format: { type: "json_schema", schema: { type: "object" } } } },
      [],
    ],
    ["a choice without tools", { toolChoice: "required" }, {}, []],
  ];
  for (const [what, sampling, fields, warnings] of rows) {
    it(`is asked for ${what}`, async () => {
      expect(await sampled(sampling)).to.deep.equal({ fields: { max_tokens: 100, ...fields }, warnings });
    });
  }

  it("has no temperature for a model that refuses it", async () => {
    expect(await sampled({ temperature: 0.7, topP: 1 }, { model: current })).to.deep.equal({
      fields: { max_tokens: 100 },
      warnings: ["temperature was left out: the model does not take it"],
    });
  });

  it("is silent about what is not taken where nobody asked for it", async () => {
    const unasked = ["temperature", "topP"] as const;
    const { warnings } = await sampled(
      { temperature: 0.7, topP: 1 },
      { model: current, defaultedSampling: unasked },
    );
    expect(warnings).to.deep.equal([]);
    expect(
      (await sampled({ temperature: 0.7, topP: 0.9 }, { defaultedSampling: ["temperature"] })).warnings,
    ).to.deep.equal([]);
  });

  const choices: readonly (readonly [choice: unknown, wire: object | undefined])[] = [
    ["auto", { type: "auto" }],
    ["required", { type: "any" }],
    ["none", { type: "none" }],
    [
      { type: "function", function: { name: "todo_operations" } },
      { type: "tool", name: "todo_operations" },
    ],
    [{ type: "any" }, { type: "any" }],
  ];
  for (const [choice, wire] of choices) {
    it(`has the tool choice ${JSON.stringify(choice)}`, async () => {
      const { fields } = await sampled({ toolChoice: choice as never }, { tools: [tool] });
      expect(fields["tool_choice"]).to.deep.equal(wire);
    });
  }

  it("asks for one call at a time", async () => {
    const one = async (toolChoice?: string) =>
      (
        await sampled(
          { parallelToolCalls: false, ...(toolChoice === undefined ? {} : { toolChoice }) },
          { tools: [tool] },
        )
      ).fields["tool_choice"];
    expect(await one()).to.deep.equal({ type: "auto", disable_parallel_tool_use: true });
    expect(await one("required")).to.deep.equal({ type: "any", disable_parallel_tool_use: true });
    expect(await one("none")).to.deep.equal({ type: "none" });
  });

  it("does not make a model call a tool that thinks", async () => {
    const { fields, warnings } = await sampled(
      { toolChoice: "required" },
      { tools: [tool], thinking: { mode: "enabled" }, model: current },
    );
    expect(fields).to.not.have.property("tool_choice");
    expect(warnings).to.deep.equal([
      "tool_choice was left out: a model that thinks cannot be made to call a tool",
    ]);
  });

  it("has tools whose names and schemas the vendor takes", async () => {
    const strange = {
      ...tool,
      name: "my.tool",
      parameters: { anyOf: [{ required: ["a"] }], properties: { a: {} } },
    };
    const { body, warnings } = await sent({
      tools: [strange, { ...tool, name: "my_tool" }, { ...tool, parameters: {} }],
      messages: [
        user("Go"),
        { role: "assistant", content: null, toolCalls: [{ id: "a", name: "my.tool", arguments: "{}" }] },
      ],
    });
    expect(
      body.tools?.map(({ name, input_schema: schema }) => [name, (schema as JsonObject)["type"]]),
    ).to.deep.equal([
      ["my_tool_2", "object"],
      ["my_tool", "object"],
      ["todo_operations", "object"],
    ]);
    expect(body.tools?.[0]?.["input_schema"]).to.deep.equal({ properties: { a: {} }, type: "object" });
    expect(body.messages[1]?.content[0]?.["name"]).to.equal("my_tool_2");
    expect(warnings).to.deep.equal([
      "of the parameters of my.tool, what stands in oneOf, anyOf and allOf was left out",
    ]);
  });

  it("has the fields that the settings want, and none that they do not", async () => {
    const { body } = await sent(
      { sampling: { maxTokens: 5, temperature: 0.5 } },
      { cache: false, body: { top_k: 40 }, leave_out: ["temperature"] },
    );
    expect(body).to.deep.include({ top_k: 40, max_tokens: 5 });
    expect(body).to.not.have.property("temperature");
  });
});

describe("a wish to think in the Messages format", () => {
  const budget = (tokens: number) => ({ type: "enabled", budget_tokens: tokens });
  const own = { type: "adaptive", display: "summarized" };

  it("is a budget for older models; the limit is raised where it leaves no room for an answer", async () => {
    expect(await thinking({ mode: "enabled", effort: "low" })).to.deep.equal({
      fields: { max_tokens: 2148, thinking: budget(2048) },
      warnings: [],
    });
    expect((await thinking({ mode: "enabled", budgetTokens: 1500 }, past, 4000)).fields).to.deep.equal({
      max_tokens: 4000,
      thinking: budget(1500),
    });
    expect((await thinking({ mode: "enabled", budgetTokens: 5 }, past, 4000)).fields).to.deep.equal({
      max_tokens: 4000,
      thinking: budget(1024),
    });
    expect((await thinking({ mode: "enabled", budgetTokens: 100_000 }, past, 4000)).fields).to.deep.equal({
      max_tokens: 64_000,
      thinking: budget(62_976),
    });
  });

  it("is left to newer models, with an effort", async () => {
    expect(await thinking({ mode: "enabled", effort: "high" }, current)).to.deep.equal({
      fields: { max_tokens: 100, thinking: own, output_config: { effort: "high" } },
      warnings: [],
    });
    expect((await thinking({ mode: "enabled", budgetTokens: 2000 }, current)).warnings).to.deep.equal([
      "budget_tokens was left out: the model chooses by itself how much it thinks",
    ]);
    expect(
      (await thinking({ mode: "enabled", budgetTokens: 2000 }, "claude-opus-4-6")).fields["thinking"],
    ).to.deep.equal(budget(2000));
    expect((await thinking({ mode: "enabled" }, "claude-opus-4-6")).fields["thinking"]).to.deep.equal(own);
  });

  it("that leaves it to the model says nothing to one that cannot choose", async () => {
    expect((await thinking({ mode: "adaptive" })).fields).to.deep.equal({ max_tokens: 100 });
    expect((await thinking({ mode: "adaptive" }, current)).fields["thinking"]).to.deep.equal(own);
  });

  it("not to do so is told", async () => {
    expect((await thinking({ mode: "disabled" }, current)).fields["thinking"]).to.deep.equal({
      type: "disabled",
    });
    expect((await thinking({ mode: "disabled" }, "claude-3-5-haiku-latest")).fields).to.deep.equal({
      max_tokens: 100,
    });
  });

  it("is left out with a warning where the model cannot", async () => {
    expect(await thinking({ mode: "enabled" }, "claude-3-haiku-20240307")).to.deep.equal({
      fields: { max_tokens: 100 },
      warnings: ["thinking enabled was left out: the model cannot think"],
    });
  });

  it("takes the temperature away", async () => {
    const { fields, warnings } = await sampled(
      { temperature: 0.7 },
      { thinking: { mode: "enabled", budgetTokens: 1024 } },
    );
    expect(fields).to.not.have.property("temperature");
    expect(warnings).to.deep.equal(["temperature was left out: a model that thinks does not take it"]);
  });
});
