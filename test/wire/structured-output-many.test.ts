import { chatReply, type MockReply } from "@pergola/sdk/testing";
import { expect } from "chai";
import { askAtDoor, formedDoors, type FormedAnswer, type FormedDoor } from "../support/formed-doors.ts";
import type { Stage } from "../support/host.ts";
import { calling, labCall, openLab, saying } from "../support/lab-stage.ts";
import { verifies } from "../support/verifies.ts";

const schema = {
  type: "object",
  properties: { city: { type: "string" }, degrees: { type: "integer", minimum: -90, maximum: 60 } },
  required: ["city", "degrees"],
  additionalProperties: false,
};
const requests = 100;

const right: readonly MockReply[] = [
  saying('{"city":"Oslo","degrees":7}'),
  saying('```json\n{"city":"Oslo","degrees":-3}\n```'),
];

const wrong: readonly MockReply[] = [
  saying("It is mild in Oslo."),
  saying('{"city":"Oslo"}'),
  saying('{"city":"Oslo","degrees":"7"}'),
  saying('Here you are: {"city":"Oslo","degrees":7}'),
  chatReply([{ text: '{"city":"Osl' }, { type: "end", reason: "length" }]),
  saying('{"city":"Oslo","degrees":700}'),
  saying(""),
];

/** How a request asks, and whether the model calls a tool before it answers. */
interface Case {
  readonly stream: boolean;
  readonly strict: boolean;
  readonly hasTools: boolean;
}

const caseOf = (index: number): Case => ({
  stream: index % 2 === 0,
  strict: index % 4 < 2,
  hasTools: index % 8 < 4,
});

function isRight(text: string): boolean {
  try {
    const { city, degrees, ...more } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const isInRange = Number.isInteger(degrees) && Number(degrees) >= -90 && Number(degrees) <= 60;
    return typeof city === "string" && isInRange && Object.keys(more).length === 0;
  } catch {
    return false;
  }
}

/** The service says that there is no answer of the form. */
const isRefused = ({ refusal = "" }: FormedAnswer): boolean =>
  /does not have the form that response_format asks for/.test(refusal);

/** It says so beside the answer. */
const isMarked = ({ warnings, hadErrors }: FormedAnswer): boolean =>
  hadErrors && warnings.some((warning) => warning.startsWith("response_format was not met: "));

describe("many answers that must have a form", function () {
  this.timeout(60_000);
  let stage: Stage;
  before(async () => {
    stage = await openLab();
  });
  after(() => stage.end());

  /** Of three answers of the model one is wrong, each time in another way; the repair may be that one. */
  let answers = 0;
  const nextAnswer = (): MockReply => {
    answers += 1;
    const list = answers % 3 === 0 ? wrong : right;
    return list[Math.floor(answers / 3) % list.length] as MockReply;
  };

  const answerTo = (door: FormedDoor, { hasTools, ...how }: Case): Promise<FormedAnswer> => {
    let calls = 0;
    stage.provider.play(() => (hasTools && calls++ === 0 ? calling(labCall("peek", "a")) : nextAnswer()));
    return askAtDoor(stage, door, { schema, ...how });
  };

  for (const [name, door] of Object.entries(formedDoors)) {
    verifies(
      ["loop:output", "loop:output-strict", "loop:output-held"],
      `in ${name} come out right or are refused, never silently wrong, from a model that errs in one of three`,
      async () => {
        answers = 0;
        const counts = { right: 0, refused: 0, marked: 0 };
        for (let index = 0; index < requests; index++) {
          const one = caseOf(index);
          const answer = await answerTo(door, one);
          const about = `${index}: ${JSON.stringify(answer)}`;
          if (isRefused(answer)) {
            expect([one.strict, isRight(answer.text)], about).to.deep.equal([true, false]);
            counts.refused += 1;
          } else if (isMarked(answer)) {
            expect([one.strict, isRight(answer.text)], about).to.deep.equal([false, false]);
            counts.marked += 1;
          } else {
            expect([answer.refusal, isRight(answer.text)], about).to.deep.equal([undefined, true]);
            counts.right += 1;
          }
        }
        expect(counts.right + counts.refused + counts.marked).to.equal(requests);
        expect(counts.right).to.be.above(80);
        expect(counts.refused).to.be.above(0);
        expect(counts.marked).to.be.above(0);
      },
    );
  }
});
