import path from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Entity, Message } from "@pergola/sdk";
import type { StoredApproval, StoredRun } from "@pergola/sdk/host";
import type { MockProviderServer } from "@pergola/sdk/testing";
import { ask, officialPlugins, type Stage } from "../../support/host.ts";
import { openLab, type SentMessage } from "../../support/lab-stage.ts";
import { lab } from "../../support/plugins/tool-lab/lab.ts";
import { shared } from "../../support/plugins/storage-stepped/shared-store.ts";
import { callingScript } from "./calling-script.ts";
import { brokenIn, isWorks } from "./history-faults.ts";
import type { Played, Schedule, StopPoint } from "./schedule.ts";
import type { SteppedHost } from "../../support/plugins/storage-stepped/stepped-host.ts";

const pluginAt = (name: string) => ({
  use: path.join(import.meta.dirname, "..", "..", "support", "plugins", name),
  isolation: "trusted",
});

const testPlugins = ["tool-lab", "policy-noting", "storage-stepped"];

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Milliseconds for which a schedule may have nothing to do. */
const patience = 30_000;

/** Two hosts on one store; their schedules are played one by one, each in a conversation of its own. */
export class WholeRuns {
  readonly #stages: Stage[] = [];
  #number = 0;

  /** They share records in memory, or what `share` opens. */
  async open(share: () => Promise<unknown> = async () => undefined): Promise<void> {
    shared.reset();
    await share();
    for (const label of ["one", "two"])
      this.#stages.push(
        await openLab(callingScript, {
          plugins: [...officialPlugins(), ...testPlugins.map(pluginAt)],
          settings: {
            storage: { type: "stepped" },
            "cluster.label": label,
            "workspace.shared": true,
            "runs.resume": "auto",
            "authorization.auto_approve": ["write"],
          },
        }),
      );
    lab.reset();
  }

  async close(): Promise<void> {
    for (const stage of this.#stages.splice(0)) await stage.end();
  }

  async play(schedule: Schedule): Promise<Played> {
    return new OnePlay(this.#stages, schedule, `n${this.#number++}`).play();
  }
}

const until = async (what: string, isSo: () => boolean | Promise<boolean>): Promise<void> => {
  for (const end = performance.now() + patience; !(await isSo()); await setTimeout(2))
    if (performance.now() > end) throw new Error(`${what} within ${patience / 1000} s`);
};

class OnePlay {
  readonly #stages: readonly Stage[];
  readonly #schedule: Schedule;
  readonly #name: string;
  readonly #faults: string[] = [];
  readonly #reached = { first: false, then: false };
  readonly #answered: string[] = [];
  #isOver = false;

  get #text(): string {
    return `${this.#name}:${this.#schedule.calls.join()}`;
  }

  constructor(stages: readonly Stage[], schedule: Schedule, name: string) {
    this.#stages = stages;
    this.#schedule = schedule;
    this.#name = name;
  }

  #host(label: string): SteppedHost {
    return shared.hosts.get(label)!;
  }

  async play(): Promise<Played> {
    const answering = this.#answerQuestions();
    try {
      await this.#play();
    } catch (error) {
      this.#faults.push(String(error));
    } finally {
      this.#isOver = true;
      for (const host of shared.hosts.values()) await host.goOn();
      await answering;
    }
    return { faults: this.#faults, reached: this.#reached };
  }

  async #play(): Promise<void> {
    const { first, then, learnsFirst } = this.#schedule;
    const [one, two] = [this.#host("one"), this.#host("two")];
    await this.#idle(one);
    await this.#idle(two);
    shared.written.length = 0;
    this.#stopAt(one, first, "first");
    let answer: Answer | undefined;
    void this.#send(this.#text).then((got) => (answer = got));
    await until("the first neither stops nor answers", () => this.#reached.first || answer !== undefined);
    if (this.#reached.first) {
      if (then !== undefined) this.#stopAt(two, then, "then");
      void one.leave();
      await until("the second does not take over", () => this.#reached.then || this.#isSettled(two));
      if (this.#reached.then) await this.#goOnBoth();
      await one.goOn(learnsFirst);
    }
    for (const host of [one, two]) host.stopAt(undefined);
    await until("the first does not answer", () => answer !== undefined);
    await until("a host does not come to an end", () => this.#isSettled(one, two));
    await one.learn();
    await this.#idle(one);
    await this.#idle(two);
    await this.#look(answer!);
    await this.#again();
  }

  /** The first is back while the second is stopped; it takes over in turn where that one's session ends. */
  async #goOnBoth(): Promise<void> {
    const [one, two] = [this.#host("one"), this.#host("two")];
    await one.goOn(this.#schedule.learnsFirst);
    if (this.#schedule.then?.what === "falls") {
      void two.leave();
      await one.learn();
      await until("the first does not take over", () => this.#isSettled(one));
    } else await this.#idle(one);
    await two.goOn();
    await two.learn();
  }

  #stopAt(host: SteppedHost, { at, stop }: StopPoint, which: "first" | "then"): void {
    const { changesOnly } = this.#schedule;
    host.stopAt({ at, stop, changesOnly, reached: () => (this.#reached[which] = true) });
  }

  /** Asks the first host. */
  async #send(text: string): Promise<Answer> {
    const body = ask(text, { conversationId: this.#name, stream: this.#schedule.stream });
    const response = await this.#stages[0]!.host.request("POST", "/api/chat/completions", body);
    return { status: response.status, body: await response.text() };
  }

  /** Nothing is under way at a host, and for a moment nothing has been. */
  async #idle(host: SteppedHost): Promise<void> {
    let before = -1;
    await until(`the host ${host.label} does not rest`, async () => {
      const isQuiet = host.steps === before && (host.isIdle || host.isFrozen);
      before = host.steps;
      await setTimeout(3);
      return isQuiet;
    });
  }

  /** No run is open, and nobody has the conversation. */
  async #isSettled(...hosts: readonly SteppedHost[]): Promise<boolean> {
    if (shared.isHeld(`conversation/${await this.#id()}`)) return false;
    if (hosts.some((host) => !host.isIdle)) return false;
    return (await this.#runs()).every(({ status }) => status === "ended");
  }

  async #id(): Promise<string> {
    return this.#stages[0]!.host.services.conversations.idOf(this.#name);
  }

  /** Those of the conversation, which stands in the field. */
  async #recordsIn<T extends Entity>(name: string, field = "conversationId", order?: string) {
    const records = shared.records.collection<T & Record<string, string>>(name, {
      indexes: [order === undefined ? field : [field, order]],
    });
    const filter = { [field]: await this.#id() } as Parameters<typeof records.find>[0];
    return records.find(filter, order === undefined ? {} : { order });
  }

  #runs = () => this.#recordsIn<StoredRun>("runs");
  #approvals = () => this.#recordsIn<StoredApproval>("approvals");
  #messages = () => this.#recordsIn<Message>("messages", "conversationId", "seq");

  /** The person answers each question at the second host, or where it is stopped, at the first. */
  async #answerQuestions(): Promise<void> {
    const asked = new Set<string>();
    for (; !this.#isOver; await setTimeout(2))
      for (const { id, status } of await this.#approvals()) {
        const at = this.#host("two").isFrozen ? 0 : 1;
        if (status !== "pending" || asked.has(`${id} ${at}`)) continue;
        asked.add(`${id} ${at}`);
        const { approvals } = this.#stages[at]!.host.services;
        void approvals
          .answer(id, { approved: true })
          .then(() => this.#answered.push(id))
          .catch(() => asked.delete(`${id} ${at}`));
      }
  }

  /** What must hold once all is over. */
  async #look(answer: Answer): Promise<void> {
    const messages = await this.#messages();
    for (const { host, write, isLate } of shared.written)
      if (isLate && isWorks(write)) this.#faults.push(`${host} has written late: ${JSON.stringify(write)}`);
    for (const call of this.#schedule.calls) await this.#lookAtCall(call);
    this.#lookForAnswer(answer, messages);
    for (const { id, status } of await this.#approvals())
      if (this.#answered.includes(id) && status !== "answered")
        this.#faults.push(`the answer to ${id} is lost: ${status}`);
    const { length } = await this.#runs();
    if (length > 1) this.#faults.push(`there are ${length} runs`);
    this.#faults.push(...brokenIn(messages));
  }

  async #lookAtCall(call: Schedule["calls"][number]): Promise<void> {
    const times = await this.#timesOf(call);
    const isUndone = times === 0 && !this.#reached.first;
    if (times > 1 || isUndone) this.#faults.push(`${call} was done ${times} times`);
  }

  /** What was acknowledged is there. */
  #lookForAnswer({ status, body }: Answer, messages: readonly Message[]): void {
    if (status !== 200 || !body.includes(`did ${this.#name}`)) return;
    const last = messages.findLast(({ role }) => role === "assistant");
    if (last?.content !== `did ${this.#name}`) this.#faults.push(`lost: ${last?.content}`);
    if (messages[0]?.content !== this.#text) this.#faults.push("the person's message is lost");
  }

  /** How often a call was done. */
  async #timesOf(call: Schedule["calls"][number]): Promise<number> {
    const mark = `${call} ${this.#name}`;
    if (call === "keep" || call === "wipe") return lab.count(`start ${mark}`);
    if (call === "memory") return (await this.#recordsIn("memories", "scope")).length;
    return (await this.#recordsIn("tool-lab/records")).length;
  }

  /** The first host goes on with what is stored now, and nothing else. */
  async #again(): Promise<void> {
    const before = await this.#messages();
    let answer: Answer | undefined;
    void this.#send(`again ${this.#text}`).then((got) => (answer = got));
    await until("the first does not answer again", () => answer !== undefined);
    const { status, body } = answer!;
    if (status !== 200 || !body.includes("did again"))
      this.#faults.push(`it does not go on: ${status} ${body}`);
    const after = await this.#messages();
    if (after.length !== before.length + 2)
      this.#faults.push(`${before.length} messages became ${after.length}`);
    this.#faults.push(...brokenIn(after));
    await this.#checkSent(before);
  }

  /** A message that has no answer is sent in one with the next. */
  async #checkSent(before: readonly Message[]): Promise<void> {
    const { provider } = this.#stages[0]!;
    const sent = sentTo(provider).filter(({ role }) => role !== "system");
    const expected = before.length + (before.at(-1)?.role === "user" ? 0 : 1);
    if (before.length > 0 && sent.length !== expected)
      this.#faults.push(`the model was sent ${sent.length} messages, not ${expected}`);
  }
}

const sentTo = ({ requests }: MockProviderServer): readonly SentMessage[] =>
  (requests.at(-1)?.body as { messages: SentMessage[] }).messages;
