import { expect } from "chai";
import {
  AppError,
  type Log,
  type ModelEntry,
  type RunEvent,
  type RunOutcome,
  type Write,
} from "@pergola/sdk";
import type { StoredRun } from "@pergola/sdk/host";
import { RunInProgress } from "../run-in-progress.ts";
import type { RunOptions } from "../run-options.ts";
import { StepLog } from "../step-log.ts";

const message: Write = { collection: "messages", put: { id: "m1" } };
const answer: readonly Write[] = [
  { collection: "conversations", put: { id: "c1" } },
  { collection: "messages", put: { id: "m2" } },
];
const admission: readonly Write[] = [{ collection: "conversations", put: { id: "c1" } }];

function newRun(options: Partial<RunOptions> = {}) {
  const commits: (readonly Write[])[] = [];
  const record = {
    id: "run_1",
    conversationId: "c1",
    status: "queued",
    pendingToolCallIds: [],
    request: { messages: [], stream: true },
  } as unknown as StoredRun;
  const run = new RunInProgress({
    record,
    model: {} as ModelEntry,
    commit: async (writes) => void commits.push(writes),
    fence: undefined,
    admission,
    parent: () => undefined,
    restored: [],
    keepEvents: false,
    steps: new StepLog({ clock: Date, log: {} as Log, redact: (text) => text }),
    ...options,
  });
  return { run, commits };
}

const collections = (commits: readonly (readonly Write[])[]): readonly (readonly string[])[] =>
  commits.map((writes) => writes.map(({ collection }) => collection));

const outcome = (error: AppError | null): RunOutcome => ({ error, text: "", reasoning: "" }) as RunOutcome;

const failure = new AppError({ code: "internal_error", message: "Boom." });

describe("a run at work", () => {
  it("stores nothing while it is held", () => {
    const { run, commits } = newRun();
    run.store({ status: "running" });
    run.emit({ type: "text", text: "a" });
    expect(run.isAdmitted).to.equal(false);
    expect(run.record.status).to.equal("running");
    expect(commits).to.deep.equal([]);
  });

  it("stores what may wait in one commit with what follows, and what is asked for before an effect at once", async () => {
    const { run, commits } = newRun();
    await run.admit();
    run.storeSoon([message]);
    run.startAdmission();
    expect(collections(commits)).to.deep.equal([["conversations", "runs"]]);
    run.store({}, answer);
    expect(collections(commits).slice(1)).to.deep.equal([["messages", "conversations", "messages", "runs"]]);
    run.storeSoon([message]);
    await run.admit();
    run.storeSoon([message]);
    await run.flush();
    await run.flush();
    expect(collections(commits).slice(2)).to.deep.equal([
      ["messages", "runs"],
      ["messages", "runs"],
    ]);
  });

  it("stores what may wait when nothing follows, and what comes before its admission with that", async () => {
    const { run, commits } = newRun();
    run.storeSoon([message]);
    expect(collections(commits)).to.deep.equal([["conversations", "messages", "runs"]]);
    run.storeSoon(answer);
    for (const end = Date.now() + 5000; commits.length < 2 && Date.now() < end;)
      await new Promise((resolve) => setTimeout(resolve, 5));
    expect(collections(commits).slice(1)).to.deep.equal([["conversations", "messages", "runs"]]);
  });

  it("stores its admission once, with the first thing that must be stored", async () => {
    const { run, commits } = newRun();
    run.store({}, [message]);
    await run.admit();
    run.store({});
    expect(run.isAdmitted).to.equal(true);
    expect(collections(commits)).to.deep.equal([["conversations", "messages", "runs"], ["runs"]]);
  });

  it("is admitted by what a client sees of it, and its first sign resolves", async () => {
    const { run, commits } = newRun();
    run.emit({ type: "title", title: "Tea" });
    expect(run.isAdmitted).to.equal(false);
    run.emit({ type: "limit_changed", maxIterations: 9 });
    await run.firstActivity;
    expect(collections(commits)).to.deep.equal([["conversations", "runs"]]);
  });

  it("stores everything in one commit when it ends before anybody has seen anything", async () => {
    const { run, commits } = newRun();
    run.store({ status: "ended" }, answer, () => outcome(null));
    await run.firstActivity;
    expect(collections(commits)).to.deep.equal([["conversations", "messages", "runs"]]);
  });

  it("is not taken for stored once another host has it: the answer that nobody keeps is no answer", async () => {
    const { run, commits } = newRun();
    await run.flush();
    run.lose();
    run.store({ status: "ended" }, answer, () => outcome(null));
    const refused: unknown = await run.flush().catch((error: unknown) => error);
    expect(refused).to.include({ code: "storage_unavailable" });
    expect(await run.admit().catch((error: unknown) => error)).to.equal(refused);
    expect(commits).to.deep.equal([]);
  });

  it("stores only its record when it is refused, and its first sign rejects", async () => {
    const { run, commits } = newRun();
    run.refuse();
    run.store({ status: "ended" });
    run.end(outcome(failure));
    expect(await run.firstActivity.catch((error: unknown) => error)).to.equal(failure);
    expect(collections(commits)).to.deep.equal([["runs"]]);
  });

  it("has no way back: what was admitted cannot be refused, and nothing ends twice or unheard of", async () => {
    const { run } = newRun();
    expect(() => run.end(outcome(null))).to.throw("held cannot be ended");
    await run.admit();
    expect(() => run.refuse()).to.throw("admitted cannot be refused");
    run.end(outcome(null));
    expect(() => run.end(outcome(null))).to.throw("ended cannot be ended");
    expect(() => run.refuse()).to.throw("ended cannot be refused");
  });

  it("says nothing more after its end", async () => {
    const { run } = newRun({ admission: undefined });
    run.emit({ type: "text", text: "a" });
    run.end(outcome(null));
    run.emit({ type: "text", text: "b" });
    const events: RunEvent[] = [];
    for await (const { event } of run.events()) events.push(event);
    expect(events.map(({ type }) => type)).to.deep.equal(["text", "end"]);
    expect(run.count).to.equal(2);
  });
});
