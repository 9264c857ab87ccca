import { expect } from "chai";
import type { AppError, ModelEvent } from "@pergola/sdk";
import { AnswerLimits } from "../answer-limits.ts";

/** What fits of the events of one answer; throws why it ends. */
function* within(limits: AnswerLimits, events: readonly ModelEvent[]): Generator<ModelEvent> {
  const answer = limits.open("Vendor");
  try {
    for (const event of events) {
      const { rest, failure } = answer.take(event);
      if (rest !== undefined) yield rest;
      if (failure !== undefined) throw failure;
    }
  } finally {
    answer.close();
  }
}

function read(limits: AnswerLimits, events: readonly ModelEvent[]) {
  const taken: ModelEvent[] = [];
  try {
    for (const event of within(limits, events)) taken.push(event);
    return { taken };
  } catch (error) {
    return { taken, error: error as AppError };
  }
}

describe("limits of answers (R1)", () => {
  it("R1: hands an answer of exactly the limit on", () => {
    const { taken, error } = read(new AnswerLimits(() => 10), [
      { type: "text", text: "äöüx" },
      { type: "reasoning", text: "abc" },
    ]);
    expect(error).to.equal(undefined);
    expect(taken).to.have.length(2);
  });

  it("R1: cuts what is longer in bytes of text, reasoning and arguments, and splits no character", () => {
    const { taken, error } = read(new AnswerLimits(() => 10), [
      { type: "reasoning", text: "abcdefg" },
      { type: "text", text: "ääää" },
    ]);
    expect(taken).to.deep.equal([
      { type: "reasoning", text: "abcdefg" },
      { type: "text", text: "ä" },
    ]);
    expect(error).to.include({ code: "provider_error" });
    expect(error?.message).to.include("providers.max_answer_bytes");
    const call: ModelEvent = { type: "tool_call", index: 0, arguments: "x".repeat(11) };
    expect(read(new AnswerLimits(() => 10), [call]).error).to.include({ code: "provider_error" });
  });

  it("R1: ends the longest of many answers at once, and lets the others go on", () => {
    const limits = new AnswerLimits(() => 100);
    const long = [0, 1].map(() => within(limits, Array(9).fill({ type: "text", text: "0123456789" })));
    const short = within(limits, Array(5).fill({ type: "text", text: "x" }));
    const failures: unknown[] = [];
    const readOn = (answer: Generator<ModelEvent>): void => {
      try {
        answer.next();
      } catch (error) {
        failures.push(error);
      }
    };
    for (let step = 0; step < 5; step++) {
      for (const answer of long) readOn(answer);
      expect(short.next().value).to.deep.equal({ type: "text", text: "x" });
    }
    for (let step = 0; step < 4; step++) for (const answer of long) readOn(answer);
    expect(failures).to.have.length(1);
    expect(short.next().done).to.equal(true);
  });

  it("R1: counts a long answer until it is stored, and a short one while it is read", async () => {
    const mebibyte = 1024 * 1024;
    const limits = new AnswerLimits(() => 2 * mebibyte);
    const whole = (bytes: number, stored: Promise<unknown>): AppError | undefined => {
      const answer = limits.open("Vendor");
      const { failure } = answer.take({ type: "text", text: "x".repeat(bytes) });
      answer.close(stored);
      return failure;
    };
    const never = new Promise(() => undefined);
    expect(whole(mebibyte / 2, never)).to.equal(undefined);
    let resolve!: () => void;
    const stored = new Promise<void>((kept) => (resolve = kept));
    expect(whole(1.5 * mebibyte, stored)).to.equal(undefined);
    expect(whole(1.5 * mebibyte, Promise.resolve())?.message).to.include("beside others");
    resolve();
    await stored;
    expect(whole(1.5 * mebibyte, never)).to.equal(undefined);
  });
});
