import { expect } from "chai";
import type { Stage } from "../support/host.ts";
import { calling, labCall, messagesOf, openLab, play, saying, sentTo } from "../support/lab-stage.ts";
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
});
