import { expect } from "chai";
import { endpointRequest } from "@pergola/sdk/testing";
import { CallInRounds, type Round } from "../call-in-rounds.ts";
import type { CallAnswer } from "../call-tool.ts";
import type { ClientCall, FormAnswer } from "../client.ts";
import { WaitingCalls } from "../waiting-calls.ts";

const mostCalls = 256;
const { caller } = endpointRequest();
const origin = { caller, name: "notes", args: {} };
const form = (message: string) => ({ message, title: "Answer", options: [] });
const round = (signal = new AbortController().signal): Round => ({ signal, progress: () => undefined });
const answered = (text: string): CallAnswer => ({ content: [{ type: "text", text }], isError: false });
const say = (answer: FormAnswer): string => (typeof answer === "string" ? answer : answer.text);

/** A call that asks these questions at once. */
const asking = (...questions: readonly string[]): CallInRounds =>
  new CallInRounds(async ({ ask, signal }: Pick<ClientCall, "ask" | "signal">) => {
    const answers = questions.map(async (text) => ask?.(form(text), signal) ?? "dismissed");
    return answered((await Promise.all(answers)).map(say).join(", "));
  }, true);

describe("a call that its client sees in several requests", () => {
  it("asks all that is open, and again what was not answered", async () => {
    const call = asking("First?", "Second?");
    const first = await call.next(round());
    if (!("questions" in first)) throw new Error("It did not ask.");
    expect([...first.questions.values()].map(({ message }) => message)).to.deep.equal(["First?", "Second?"]);
    const [key] = first.questions.keys();
    call.answer((each) => (each === key ? { text: "one" } : undefined));
    const second = await call.next(round());
    if (!("questions" in second)) throw new Error("It did not ask again.");
    expect([...second.questions.values()].map(({ message }) => message)).to.deep.equal(["Second?"]);
    call.answer(() => ({ text: "two" }));
    expect(await call.next(round())).to.deep.equal({ answer: answered("one, two") });
  });

  it("is cancelled with the request that waits for it, and by no request that was answered", async () => {
    const call = asking("First?");
    const [past, present] = [new AbortController(), new AbortController()];
    await call.next(round(past.signal));
    past.abort();
    const again = await call.next(round());
    expect(again).to.have.property("questions");
    present.abort();
    expect(await call.next(round(present.signal))).to.deep.equal({ answer: answered("dismissed") });
  });
});

describe("calls that wait for their clients", () => {
  it("are bounded: the one that has waited longest is cancelled, and no other", async () => {
    const waiting = new WaitingCalls();
    const calls = Array.from({ length: mostCalls + 1 }, () => asking("First?"));
    const states: string[] = [];
    for (const call of calls) {
      await call.next(round());
      states.push(waiting.keep(call, origin));
    }
    expect(states.map((state) => waiting.take(state, origin))).to.deep.equal([undefined, ...calls.slice(1)]);
    expect(await calls[0]?.next(round())).to.deep.equal({ answer: answered("dismissed") });
    expect(await calls[1]?.next(round())).to.have.property("questions");
  });

  it("are given up with the service", async () => {
    const waiting = new WaitingCalls();
    const call = asking("First?");
    await call.next(round());
    const state = waiting.keep(call, origin);
    waiting.close();
    expect(waiting.take(state, origin)).to.equal(undefined);
    expect(await call.next(round())).to.deep.equal({ answer: answered("dismissed") });
  });
});
