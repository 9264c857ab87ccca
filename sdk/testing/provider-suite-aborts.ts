import { expect } from "chai";
import type { ModelEvent } from "@pergola/sdk";
import { withinOneSecond, type ProviderStage } from "./provider-stage.ts";
import type { ScriptTurn } from "./script.ts";

/** Aborts a call that hangs, after so many events; gives what came after the abort. */
async function abortAfter(
  count: number,
  turn: ScriptTurn,
  stage: ProviderStage,
): Promise<readonly ModelEvent[]> {
  const controller = new AbortController();
  const events = (await stage.play(turn, controller.signal))[Symbol.asyncIterator]();
  const rest: ModelEvent[] = [];
  for (let seen = 0; seen < count; seen++) await events.next();
  const drained = (async () => {
    for (let step = await events.next(); step.done !== true; step = await events.next())
      rest.push(step.value);
  })().catch(() => undefined);
  await stage.requestReceived();
  controller.abort(new Error("gone"));
  await withinOneSecond(drained, "ending");
  return rest;
}

/** How a provider stops: the part of `describeProvider` for benches that play a source that hangs. */
export function describeProviderAborts(stage: ProviderStage): void {
  it("ends at once when it is aborted before the source answers, and tells the source", async () => {
    expect(await abortAfter(0, { hang: true }, stage)).to.deep.equal([]);
    await stage.connectionClosed();
  });

  it("ends at once when it is aborted in the middle, without an end, and tells the source", async () => {
    expect(await abortAfter(1, [{ text: "Once upon" }, { hang: true }], stage)).to.deep.equal([]);
    await stage.connectionClosed();
  });

  it("tells the source when the caller stops reading", async () => {
    const turn: ScriptTurn = [{ text: "Once upon" }, { delayMs: 20 }, { text: " a time" }, { hang: true }];
    for await (const event of await stage.play(turn)) {
      if (event.type === "text") break;
    }
    await stage.connectionClosed();
  });
}
