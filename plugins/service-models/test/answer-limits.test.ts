import { expect } from "chai";
import type { AppError, ModelEvent } from "@pergola/sdk";
import { AnswerLimits } from "../answer-limits.ts";

async function* from(events: readonly ModelEvent[]): AsyncGenerator<ModelEvent> {
  yield* events;
}

async function read(limits: AnswerLimits, events: readonly ModelEvent[]) {
  const taken: ModelEvent[] = [];
  try {
    for await (const event of limits.apply("Vendor", from(events))) taken.push(event);
    return { taken };
  } catch (error) {
    return { taken, error: error as AppError };
  }
}

describe("limits of answers (R1)", () => {
  it("R1: hands an answer of exactly the limit on", async () => {
    const { taken, error } = await read(new AnswerLimits(() => 10), [
      { type: "text", text: "äöüx" },
      { type: "reasoning", text: "abc" },
    ]);
    expect(error).to.equal(undefined);
    expect(taken).to.have.length(2);
  });

  it("R1: cuts what is longer in bytes of text, reasoning and arguments, and splits no character", async () => {
    const { taken, error } = await read(new AnswerLimits(() => 10), [
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
    expect((await read(new AnswerLimits(() => 10), [call])).error).to.include({ code: "provider_error" });
  });

  it("R1: ends the longest of many answers at once, and lets the others go on", async () => {
    const limits = new AnswerLimits(() => 100);
    const long = [0, 1].map(() =>
      limits.apply("Vendor", from(Array(9).fill({ type: "text", text: "0123456789" }))),
    );
    const short = limits.apply("Vendor", from(Array(5).fill({ type: "text", text: "x" })));
    const failures: unknown[] = [];
    for (let step = 0; step < 5; step++) {
      for (const answer of long) await answer.next().catch((error: unknown) => failures.push(error));
      expect((await short.next()).value).to.deep.equal({ type: "text", text: "x" });
    }
    for (let step = 0; step < 4; step++)
      for (const answer of long) await answer.next().catch((error: unknown) => failures.push(error));
    expect(failures).to.have.length(1);
    expect((await short.next()).done).to.equal(true);
  });
});
