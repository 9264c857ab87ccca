import { expect } from "chai";
import { askAtDoor, formedDoors } from "../support/formed-doors.ts";
import type { Stage } from "../support/host.ts";
import { openLab, saying } from "../support/lab-stage.ts";
import { verifies } from "../support/verifies.ts";

const schema = {
  type: "object",
  properties: { city: { type: "string" }, degrees: { type: "integer" } },
  required: ["city", "degrees"],
  additionalProperties: false,
};
const right = '{"city":"Oslo","degrees":7}';
const wrong = '{"city":"Oslo"}';

const unmet = "the answer must have required property 'degrees'";
const refusal = `The answer does not have the form that response_format asks for: ${unmet}.`;

describe("structured output in every format", () => {
  let stage: Stage;
  before(async () => {
    stage = await openLab();
  });
  after(() => stage.end());

  for (const [name, door] of Object.entries(formedDoors)) {
    for (const stream of [false, true]) {
      const how = `${name}, ${stream ? "streamed" : "whole"}`;
      const ask = (strict: boolean, answers: readonly string[]) => {
        stage.provider.play(answers.map(saying));
        return askAtDoor(stage, door, { schema, strict, stream });
      };

      verifies(["loop:output", "loop:output-held"], `${how}: a repaired answer is the answer`, async () => {
        for (const strict of [false, true]) {
          const answer = await ask(strict, ["Mild.", right]);
          expect(answer).to.deep.equal({
            status: 200,
            text: right,
            refusal: undefined,
            warnings: [],
            hadErrors: false,
          });
        }
      });

      verifies("loop:output", `${how}: an answer that stays wrong has a warning`, async () => {
        const answer = await ask(false, ["Mild.", wrong]);
        expect(answer).to.deep.equal({
          status: 200,
          text: wrong,
          refusal: undefined,
          warnings: [`response_format was not met: ${unmet}`],
          hadErrors: true,
        });
      });

      verifies("loop:output-strict", `${how}: with strict it is a failure, and not sent`, async () => {
        const answer = await ask(true, ["Mild.", wrong]);
        expect(answer.refusal).to.equal(refusal);
        expect(answer.text).to.not.include(wrong);
        if (!stream) expect(answer.status).to.equal(502);
      });
    }

    verifies("loop:output", `${name}: the provider is sent the schema alone`, async () => {
      stage.provider.play([saying(right)]);
      await askAtDoor(stage, door, { schema, strict: true });
      const { response_format: sent } = stage.provider.requests.at(-1)?.body as Record<string, unknown>;
      expect(sent).to.deep.nested.include({ "json_schema.schema": schema, "json_schema.strict": true });
    });
  }

  for (const name of ["chat completions", "Responses", "Ollama"] as const) {
    verifies("loop:output", `${name}: JSON without a schema is any object`, async () => {
      stage.provider.play([saying("[1]"), saying('{"a":[1]}')]);
      const { text, warnings } = await askAtDoor(stage, formedDoors[name], {});
      expect([text, warnings]).to.deep.equal(['{"a":[1]}', []]);
    });
  }
});
