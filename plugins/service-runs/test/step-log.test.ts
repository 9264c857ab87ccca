import { expect } from "chai";
import type { Log } from "@pergola/sdk";
import type { StoredRun } from "@pergola/sdk/host";
import { excerptsOf } from "../excerpts.ts";
import { StepLog } from "../step-log.ts";

const secret = "a-secret-that-nobody-may-see";
const redact = (text: string): string => text.replaceAll(secret, "[redacted]");
const newLog = () => new StepLog({ clock: { now: () => 1000 }, log: {} as Log, redact });
const effect = (before: unknown, after: unknown) => ({
  plugin: "policy-x",
  hook: "shapeModelCall",
  milliseconds: 2,
  before,
  after,
});

describe("the steps of a run", () => {
  it("say nothing of a value that is equal, member by member", () => {
    const log = newLog();
    const messages = [{ role: "user", content: "Hello" }];
    log.watch("shape")(effect({ model: "m", messages }, { model: "m", messages: [...messages] }));
    expect(log.pending.steps).to.deep.equal([]);
  });

  it("do not repeat a change that is the same as the one before", () => {
    const log = newLog();
    const [old, now] = ["Hello", "Hello you"].map((content) => ({ messages: [{ role: "user", content }] }));
    for (const _ of "ab") log.watch("shape")(effect(old, now));
    const step = { kind: "shape", at: 998, milliseconds: 2, plugin: "policy-x", hook: "shapeModelCall" };
    expect(log.pending.steps).to.deep.equal([
      { ...step, before: "Hello", after: "Hello you", note: "changed user message" },
      { ...step, isSame: true },
    ]);
  });

  it("are stored with an answer or once the run does not go on, and numbered on", () => {
    const log = newLog();
    const run = (status: string) => ({ id: "run_1", conversationId: "c", status }) as StoredRun;
    log.add({ kind: "model", milliseconds: 0, plugin: null });
    expect(log.writes(run("running"), [], false)).to.deep.equal([]);
    const message = { collection: "messages", put: { id: "m", role: "assistant" } };
    expect(log.writes(run("running"), [message], false)).to.have.length(1);
    expect(log.writes(run("ended"), [], false)).to.deep.equal([]);
    log.add({ kind: "model", milliseconds: 0, plugin: null });
    expect(log.writes(run("waiting"), [], false)).to.have.nested.property("[0].put.from", 1);
  });

  it("show no half of a secret, wherever a text is cut", () => {
    for (let length = 4000; length <= 4100; length += 1) {
      const long = `${"x ".repeat(length / 2)}${secret} ${"y ".repeat(9000)}`;
      const texts = [...excerptsOf(["", long], redact), ...excerptsOf([long, `${long}!`], redact)].join(" ");
      expect(texts).to.not.match(/secret/);
    }
  });
});
