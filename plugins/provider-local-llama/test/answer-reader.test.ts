import { expect } from "chai";
import type { ModelEvent } from "@pergola/sdk";
import { AnswerReader, type AnswerOptions } from "../runtime/answer-reader.ts";

/** The answer in pieces of so many characters: text and thoughts joined, and how it ended. */
function read(answer: string, size: number, options: Partial<AnswerOptions> = {}) {
  const events: ModelEvent[] = [];
  const reader = new AnswerReader({ calls: true, stops: [], ...options }, (event) => events.push(event));
  let stopped = false;
  for (let at = 0; at < answer.length && !stopped; at += size) {
    let step = reader.push(answer.slice(at, at + size));
    while (step.type === "call" || step.type === "called")
      step = reader.push(step.type === "call" ? step.rest : "");
    stopped = step.type === "stop";
  }
  if (!stopped) reader.end();
  const joined = (type: "text" | "reasoning"): string =>
    events.map((event) => (event.type === type ? event.text : "")).join("");
  const calls = events.flatMap((event) =>
    event.type === "tool_call" ? [`${event.index} ${event.name} ${event.arguments}`] : [],
  );
  return {
    text: joined("text"),
    reasoning: joined("reasoning"),
    calls,
    stopped,
    warnings: events.filter(({ type }) => type === "warning").length,
  };
}

const nothing = { text: "", reasoning: "", calls: [], stopped: false, warnings: 0 };

describe("what a model writes", () => {
  for (const size of [1, 2, 3, 5, 7, 1000]) {
    describe(`in pieces of ${size}`, () => {
      it("is told as thoughts and text", () => {
        expect(read("<think>\nHm, 1 < 2.</think>\n\nIt is so.", size)).to.deep.equal({
          ...nothing,
          reasoning: "\nHm, 1 < 2.",
          text: "It is so.",
        });
      });

      it("may have its thoughts begun by the prompt", () => {
        expect(read("Hm.</think>Yes <b>.", size, { begun: "reasoning" })).to.deep.equal({
          ...nothing,
          reasoning: "Hm.",
          text: "Yes <b>.",
        });
      });

      it("holds calls, one after the other", () => {
        const call = (value: number): string =>
          `<tool_call>\n{"name": "f", "arguments": {"n": ${value}}}\n</tool_call>`;
        expect(read(`So: ${call(1)}\n${call(2)}\n`, size)).to.deep.equal({
          ...nothing,
          text: "So: ",
          calls: ['0 f {"n":1}', '1 f {"n":2}'],
        });
      });

      it("holds no calls where no tools are offered", () => {
        expect(read("<tool_call>{}", size, { calls: false })).to.deep.equal({
          ...nothing,
          text: "<tool_call>{}",
        });
      });

      it("ends before a stop word, which is not told", () => {
        expect(read("one STOP two", size, { stops: ["STOP"] })).to.deep.equal({
          ...nothing,
          text: "one ",
          stopped: true,
        });
      });

      it("keeps what only looks like the beginning of a mark", () => {
        expect(read("a <thin", size)).to.deep.equal({ ...nothing, text: "a <thin" });
      });
    });
  }

  it("F10: is told with a warning where a call is not JSON, has no name or is cut off", () => {
    for (const bad of [
      '<tool_call>{"name": "f", </tool_call>',
      '<tool_call>{"x": 1}</tool_call>',
      '<tool_call>{"name": "f"',
    ])
      expect(read(bad, 4)).to.deep.equal({ ...nothing, warnings: 1 });
  });
});
