import { allChunks, chatReply, contentOf, type MockReply } from "@pergola/sdk/testing";
import { expect } from "chai";
import { ask, type Stage } from "../support/host.ts";
import { calling, labCall, openLab, saying, type ChatAnswer } from "../support/lab-stage.ts";
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

/** Which of its answers a request gets wrong, and how it asks. */
interface Case {
  readonly isStream: boolean;
  readonly strict: boolean;
  readonly hasTools: boolean;
}

const caseOf = (index: number): Case => ({
  isStream: index % 2 === 0,
  strict: index % 4 < 2,
  hasTools: index % 8 < 4,
});

/** What a client makes of its answer. */
interface Seen {
  readonly text: string;
  /** The service says that there is no answer of the form. */
  readonly isRefused: boolean;
  /** It says so beside the answer. */
  readonly isMarked: boolean;
}

function isRight(text: string): boolean {
  try {
    const { city, degrees, ...more } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const isInRange = Number.isInteger(degrees) && Number(degrees) >= -90 && Number(degrees) <= 60;
    return typeof city === "string" && isInRange && Object.keys(more).length === 0;
  } catch {
    return false;
  }
}

const isMarked = ({ warnings, workflow }: ChatAnswer["service_metadata"]): boolean =>
  workflow.had_errors && warnings.some((warning) => warning.startsWith("response_format was not met: "));

describe("many answers that must have a form", () => {
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

  const seenOf = async ({ isStream, strict, hasTools }: Case): Promise<Seen> => {
    let calls = 0;
    stage.provider.play(() => (hasTools && calls++ === 0 ? calling(labCall("peek", "a")) : nextAnswer()));
    const answer = await stage.host.request(
      "POST",
      "/v1/chat/completions",
      ask("How warm is it?", {
        stream: isStream,
        response_format: { type: "json_schema", json_schema: { name: "weather", strict, schema } },
      }),
    );
    if (isStream) {
      const chunks = await allChunks(answer);
      const last = chunks.at(-1) as unknown as ChatAnswer;
      const isRefused = last.error?.code === "output_invalid";
      return { text: contentOf(chunks), isRefused, isMarked: isMarked(last.service_metadata) };
    }
    const body = (await answer.json()) as ChatAnswer;
    if (answer.status === 502)
      return { text: "", isRefused: body.error?.code === "output_invalid", isMarked: true };
    const text = body.choices[0]?.message.content ?? "";
    return { text, isRefused: false, isMarked: isMarked(body.service_metadata) };
  };

  verifies(
    ["loop:output", "loop:output-strict", "loop:output-held"],
    "come out right or are refused, never silently wrong, from a model that errs in one of three",
    async () => {
      const counts = { right: 0, refused: 0, marked: 0 };
      for (let index = 0; index < requests; index++) {
        const one = caseOf(index);
        const { text, isRefused, isMarked: isTold } = await seenOf(one);
        if (isRefused) {
          expect(one.strict, `${index} is strict`).to.equal(true);
          counts.refused += 1;
        } else if (isTold) {
          expect([one.strict, isRight(text)], `${index}: ${text}`).to.deep.equal([false, false]);
          counts.marked += 1;
        } else {
          expect(isRight(text), `${index}: ${text}`).to.equal(true);
          counts.right += 1;
        }
      }
      expect(counts.right + counts.refused + counts.marked).to.equal(requests);
      expect(counts.right).to.be.above(80);
      expect(counts.refused + counts.marked).to.be.above(0);
    },
  );
});
