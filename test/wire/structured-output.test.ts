import { allChunks, chatReply, contentOf, type MockReply, type StreamChunk } from "@pergola/sdk/testing";
import { expect } from "chai";
import { ask, type Stage } from "../support/host.ts";
import {
  type ChatAnswer,
  calling,
  eventually,
  labCall,
  messagesOf,
  openLab,
  outcomesOf,
  play,
  runOf,
  runWith,
  saying,
  sentTo,
} from "../support/lab-stage.ts";
import { verifies } from "../support/verifies.ts";

const schema = {
  type: "object",
  properties: { city: { type: "string" }, degrees: { type: "integer" } },
  required: ["city", "degrees"],
  additionalProperties: false,
};

const formed = (strict = false, more: object = schema) => ({
  response_format: { type: "json_schema", json_schema: { name: "weather", strict, schema: more } },
});

const right = '{"city":"Oslo","degrees":7}';
const wrong = '{"city":"Oslo"}';

const metadataOf = (chunks: readonly StreamChunk[]): ChatAnswer["service_metadata"] =>
  chunks.at(-1)?.service_metadata as ChatAnswer["service_metadata"];

describe("structured output", () => {
  let stage: Stage;
  before(async () => {
    stage = await openLab();
  });
  after(() => stage.end());

  verifies("loop:output", "a right answer is the answer, without the fence around it", async () => {
    const { content, workflow } = await play(stage, [saying("```json\n" + right + "\n```\n")], formed());
    expect(content).to.equal(right);
    expect(workflow).to.include({ iterations: 1, had_errors: false });
  });

  verifies("loop:output", "a wrong answer is asked for once more, with what is wrong with it", async () => {
    const { content, workflow, body } = await play(
      stage,
      [calling(labCall("peek", "a")), saying(wrong), saying(right)],
      { ...formed(), conversationId: "repaired", temperature: 0.9 },
    );
    expect(content).to.equal(right);
    expect(workflow).to.include({ iterations: 3, had_errors: false, completion_reason: "workflow_complete" });
    expect(body.service_metadata.warnings).to.deep.equal([]);
    const sent = stage.provider.requests.at(-1)?.body as Record<string, unknown>;
    expect(sent).to.include({ temperature: 0 }).and.not.have.property("tools");
    const [answered, objection] = sentTo(stage.provider, -1).slice(-2);
    expect(answered).to.include({ role: "assistant", content: wrong });
    expect(objection?.content).to.include("must have required property 'degrees'").and.include('"integer"');
    const stored = await messagesOf(stage.host, "repaired");
    expect(stored.filter(({ role }) => role !== "tool").map(({ content: text }) => text)).to.deep.equal([
      "Do it",
      null,
      right,
    ]);
  });

  verifies("loop:output", "an answer that stays wrong is handed on with a warning", async () => {
    const { content, workflow, body } = await play(stage, [saying("Mild"), saying(wrong)], formed());
    expect(content).to.equal(wrong);
    expect(workflow).to.include({ iterations: 2, had_errors: true, completion_reason: "workflow_complete" });
    expect(body.service_metadata.warnings).to.deep.equal([
      "response_format was not met: the answer must have required property 'degrees'",
    ]);
  });

  verifies(
    "loop:output-strict",
    "where the form is strict, an answer that stays wrong is a failure",
    async () => {
      const { status, body } = await play(stage, [saying("Mild"), saying(wrong)], formed(true));
      expect([status, body.error?.code]).to.deep.equal([502, "output_invalid"]);
    },
  );

  const stream = async (script: readonly MockReply[], more: object): Promise<readonly StreamChunk[]> => {
    stage.provider.play(script);
    const body = ask("Do it", { ...more, stream: true });
    return allChunks(await stage.host.request("POST", "/api/chat/completions", body));
  };

  verifies("loop:output-held", "a stream has the right answer and nothing else", async () => {
    const preamble = chatReply([{ text: "Let me look." }, { toolCalls: [labCall("peek", "a")] }]);
    const chunks = await stream([preamble, saying(wrong), saying("```\n" + right + "```")], formed(true));
    expect(contentOf(chunks)).to.equal(right);
    expect(metadataOf(chunks).workflow).to.include({ iterations: 3, had_errors: false });
  });

  verifies(
    "loop:output-held",
    "a stream of an answer that stays wrong ends with it, or with an error",
    async () => {
      const lax = await stream([saying(wrong), saying(wrong)], formed());
      expect(contentOf(lax)).to.equal(wrong);
      expect(metadataOf(lax).warnings).to.have.length(1);
      const strict = await stream([saying(wrong), saying(wrong)], formed(true));
      expect(contentOf(strict)).to.match(/^\n\nError: The answer does not have the form/);
      expect(strict.at(-1)?.error).to.include({ code: "output_invalid" });
      expect(strict.some(({ choices }) => choices?.[0]?.finish_reason)).to.equal(false);
    },
  );

  verifies("loop:output", "an answer that was cut is not asked for again", async () => {
    const cut = chatReply([{ text: '{"city":"Os' }, { type: "end", reason: "length" }]);
    const lax = await play(stage, [cut], formed());
    expect(lax.body.choices[0]).to.deep.nested.include({
      finish_reason: "length",
      "message.content": '{"city":"Os',
    });
    expect(lax.workflow).to.include({ iterations: 1, had_errors: true });
    expect(lax.body.service_metadata.warnings.join()).to.match(/cut off at its limit of tokens/);
    expect((await play(stage, [cut], formed(true))).body.error?.code).to.equal("output_invalid");
    const whole = chatReply([{ text: right }, { type: "end", reason: "length" }]);
    expect((await play(stage, [whole], formed(true))).content).to.equal(right);
  });

  verifies("loop:output", "where no iteration is left, there is no repair", async () => {
    const { workflow, content } = await play(stage, [saying(wrong)], { ...formed(), max_iterations: 1 });
    expect(content).to.equal(wrong);
    expect(workflow).to.include({ iterations: 1, had_errors: true });
  });

  verifies("loop:output", "json_object asks for an object of any kind", async () => {
    const any = { response_format: { type: "json_object" } };
    expect((await play(stage, [saying("[1]"), saying('{"a":[1]}')], any)).content).to.equal('{"a":[1]}');
    expect((await play(stage, [saying('{"status":"stop"}')], any)).content).to.equal('{"status":"stop"}');
    const { workflow, content } = await play(stage, [saying("[1]"), saying("[2]")], any);
    expect([content, workflow.had_errors]).to.deep.equal(["[2]", true]);
    const text = await play(stage, [saying("Mild")], { response_format: { type: "text" } });
    expect([text.content, text.workflow.had_errors]).to.deep.equal(["Mild", false]);
  });

  verifies("loop:output-strict", "a repair that the provider refuses is a failure too", async () => {
    const refused = chatReply([{ error: { status: 400, message: "no" } }]);
    const strict = await play(stage, [saying(wrong), refused], formed(true));
    expect([strict.status, strict.body.error?.code]).to.deep.equal([502, "output_invalid"]);
    const lax = await play(stage, [saying(wrong), refused], formed());
    expect(lax.workflow).to.include({ completion_reason: "error", had_errors: true });
    expect(lax.body.service_metadata.warnings.join()).to.match(/^response_format was not met: /);
  });

  verifies("loop:output", "a call of the caller's tool is no answer, and stands alone", async () => {
    const parameters = { type: "object", properties: { city: { type: "string" } } };
    const tools = [{ type: "function", function: { name: "thermometer", parameters } }];
    const calls = chatReply([
      { text: "Let me look." },
      { toolCalls: [{ name: "thermometer", arguments: { city: "Oslo" } }] },
    ]);
    const more = { ...formed(true), tools };
    const first = await play(stage, [calls], more);
    const message = first.body.choices[0]?.message as unknown as { tool_calls: readonly { id: string }[] };
    expect(message).to.have.property("content", null);
    const result = { role: "tool", tool_call_id: message.tool_calls[0]?.id, content: "7" };
    const messages = [...ask("Do it").messages, message, result];
    const second = await play(stage, [saying(right)], { ...more, messages });
    expect(second.content).to.equal(right);
    expect(second.body.service_metadata.conversation_id).to.equal(
      first.body.service_metadata.conversation_id,
    );
    expect(contentOf(await stream([calls], more))).to.equal("");
  });

  verifies("loop:output", "a run that is cancelled during the repair ends so", async () => {
    const hangs = chatReply([{ text: '{"city":' }, { hang: true }]);
    const before = stage.provider.requests.length;
    const chunks = stream([saying(wrong), hangs], { ...formed(true), conversationId: "left" });
    await eventually(() => (stage.provider.requests.length === before + 2 ? true : undefined));
    const { id } = await runOf(stage.host, "left");
    await stage.host.json("DELETE", `/api/runs/${id}`);
    expect(contentOf(await chunks)).to.equal("");
    expect(await runWith(stage.host, "left", "ended")).to.include({ completion_reason: "cancelled" });
  });

  verifies(
    "loop:output-schemas",
    "a schema that cannot be used is refused before the model is asked",
    async () => {
      const count = stage.provider.requests.length;
      const schemas: readonly [schema: object, says: RegExp][] = [
        [{ properties: { a: { $ref: "http://127.0.0.1/a" } } }, /properties\.a\.\$ref must begin with #/],
        [{ properties: { a: { pattern: "(" } } }, /properties\.a\.pattern is no regular expression/],
        [{ properties: { a: { type: "strng" } } }, /properties\.a\.type must be/],
        [{ $ref: "#" }, /refers to itself/],
      ];
      for (const [one, says] of schemas) {
        const { status, body } = await play(stage, [], formed(false, one));
        expect([status, body.error?.code]).to.deep.equal([400, "invalid_value"]);
        expect(body.error?.message).to.match(says);
      }
      expect(stage.provider.requests).to.have.length(count);
    },
  );

  verifies("loop:tool-choice", "a demanded call is demanded until it is made", async () => {
    const choices = (last: number) =>
      stage.provider.requests.slice(-last).map(({ body }) => (body as { tool_choice?: unknown }).tool_choice);
    await play(stage, [calling(labCall("peek", "a")), saying("Done")], { tool_choice: "required" });
    expect(choices(2)).to.deep.equal(["required", undefined]);
    const named = { type: "function", function: { name: "lab" } };
    const { content } = await play(stage, [saying("No"), calling(labCall("peek", "a")), saying("Done")], {
      tool_choice: named,
    });
    expect(content).to.include("Done");
    expect(choices(3)).to.deep.equal([named, named, undefined]);
    expect(sentTo(stage.provider, -2).at(-1)?.content).to.match(/Call lab now/);
    const never = await play(stage, [saying("No"), saying("Never")], { tool_choice: "required" });
    expect(never.workflow).to.include({ iterations: 2, completion_reason: "workflow_complete" });
    expect(never.body.service_metadata.warnings.join()).to.match(/^tool_choice was not met/);
    const free = await play(stage, [saying("No")], { tool_choice: "auto" });
    expect(free.workflow.iterations).to.equal(1);
  });

  verifies("loop:one-call", "with parallel_tool_calls false the first call runs alone", async () => {
    const one = { parallel_tool_calls: false };
    const two = calling(labCall("peek", "a"), labCall("peek", "b"));
    await play(stage, [two, saying("Done")], { ...one, conversationId: "single" });
    const codes = (await outcomesOf(stage.host, "single")).map(({ error_code: code = "ok" }) => code);
    expect(codes).to.deep.equal(["ok", "too_many_calls"]);
    const tools = [{ type: "function", function: { name: "mine", parameters: { type: "object" } } }];
    const both = calling({ name: "mine", arguments: { a: 1 } }, { name: "mine", arguments: { a: 2 } });
    const { body } = await play(stage, [both], { ...one, tools });
    expect((body.choices[0]?.message as unknown as { tool_calls: unknown[] }).tool_calls).to.have.length(1);
    expect(body.service_metadata.warnings.join()).to.match(/parallel_tool_calls: the calls after/);
    const chunks = JSON.stringify(await stream([both], { ...one, tools }));
    expect(chunks).to.include('\\"a\\":1').and.not.include('\\"a\\":2');
  });
});

describe("structured output over a restart", () => {
  let stage: Stage;
  before(async () => {
    stage = await openLab([], { settings: { storage: { type: "sqlite" }, "runs.resume": "auto" } });
  });
  after(() => stage.end());

  verifies(
    "loop:output",
    "a run that is cut in its repair begins its answer anew, and checks it",
    async () => {
      const { host, provider } = stage;
      provider.play([saying(wrong), chatReply([{ hang: true }])]);
      const config = { service_config: { on_client_close: "continue" } };
      const body = ask("Do it", { ...formed(true), ...config, conversationId: "cut", stream: true });
      void host
        .request("POST", "/api/chat/completions", body)
        .then((answer) => answer.text())
        .catch(() => undefined);
      await eventually(() => (provider.requests.length === 2 ? true : undefined));
      provider.play([saying(wrong), saying(right)]);
      await host.restart();
      expect(await runWith(host, "cut", "ended")).to.include({ completion_reason: "workflow_complete" });
      const stored = await messagesOf(host, "cut");
      expect(stored.map(({ content }) => content)).to.deep.equal(["Do it", right]);
    },
  );
});
