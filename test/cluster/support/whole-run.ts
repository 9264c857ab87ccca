import { setTimeout } from "node:timers/promises";
import type { Conversation, Message } from "@pergola/sdk";
import type { StoredApproval, StoredRun } from "@pergola/sdk/host";
import { chatReply, type MockProviderServer, type MockScript } from "@pergola/sdk/testing";
import { ask, type Stage } from "../../support/host.ts";
import { labCall, openLab, type ChatAnswer, type SentMessage } from "../../support/lab-stage.ts";
import { lab } from "../../support/plugins/tool-lab/lab.ts";
import { shared } from "../../support/plugins/storage-stepped/shared-store.ts";
import type { SteppedHost, Stop } from "../../support/plugins/storage-stepped/stepped-host.ts";
import path from "node:path";
import { officialPlugins } from "../../support/host.ts";

/** Where a host is stopped, counted in the steps of its way to the storage. */
export interface StopPoint {
  readonly at: number;
  readonly stop: Stop;
}

/**
 * `first` is stopped, and its session ends; `second` takes over, and is stopped there too where `then` says
 * so: `returns` goes on with the first meanwhile, `falls` has the second's session end as well.
 */
export interface Schedule {
  readonly first: StopPoint;
  readonly then?: StopPoint & { readonly what: "returns" | "falls" };
  /** Only steps that change something are counted. */
  readonly changesOnly: boolean;
  /** The first learns what it has lost before it goes on. */
  readonly learnsFirst: boolean;
  readonly stream: boolean;
}

export interface Played {
  readonly faults: readonly string[];
  /** The hosts were stopped at these points; false where their work has fewer steps. */
  readonly reached: { readonly first: boolean; readonly then: boolean };
}

const pluginAt = (name: string) => ({
  use: path.join(import.meta.dirname, "..", "..", "support", "plugins", name),
  isolation: "trusted",
});

/** Milliseconds for which a schedule may have nothing to do. */
const patience = 10_000;

/** Each request has an effect without a question, then one that asks, then says so. */
const script: MockScript = ({ body }) => {
  const { messages } = body as { readonly messages: readonly SentMessage[] };
  const last = messages.findLastIndex(({ role }) => role === "user");
  // Behind what the person wrote stands what the host adds.
  const [name = ""] = /^(again )?\S+/.exec(String(messages[last]?.content)) ?? [];
  const results = messages.slice(last).filter(({ role }) => role === "tool").length;
  if (name.startsWith("again") || results === 2) return chatReply({ text: `did ${name}` });
  return chatReply({ toolCalls: [labCall(results === 0 ? "keep" : "wipe", `${results} ${name}`)] });
};

/** Two hosts on one store, whose schedules are played one after the other, each in a conversation of its own. */
export class WholeRuns {
  readonly #stages: Stage[] = [];
  #number = 0;

  async open(): Promise<void> {
    shared.reset();
    for (const label of ["one", "two"])
      this.#stages.push(
        await openLab(script, {
          plugins: [...officialPlugins(), pluginAt("tool-lab"), pluginAt("storage-stepped")],
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
    for (const { end } of this.#stages.splice(0)) await end();
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
      for (const host of shared.hosts.values()) host.goOn();
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
    let answer: Awaited<ReturnType<OnePlay["send"]>> | undefined;
    void this.send(this.#name).then((got) => (answer = got));
    await until("the first neither stops nor answers", () => this.#reached.first || answer !== undefined);
    if (this.#reached.first) {
      if (then !== undefined) this.#stopAt(two, then, "then");
      void one.leave();
      await until("the second does not take over", () => this.#reached.then || this.#isSettled(two));
      if (this.#reached.then) await this.#goOnBoth();
      if (learnsFirst) one.learn();
      one.goOn();
    }
    for (const host of [one, two]) host.stopAt(undefined);
    await until("the first does not answer", () => answer !== undefined);
    await until("a host does not come to an end", () => this.#isSettled(one, two));
    one.learn();
    await this.#idle(one);
    await this.#idle(two);
    await this.#look(answer!);
    await this.#again();
  }

  /** The first is back while the second is stopped; it takes over in turn where that one's session ends. */
  async #goOnBoth(): Promise<void> {
    const [one, two] = [this.#host("one"), this.#host("two")];
    if (this.#schedule.learnsFirst) one.learn();
    one.goOn();
    if (this.#schedule.then?.what === "falls") {
      void two.leave();
      one.learn();
      await until("the first does not take over", () => this.#isSettled(one));
    } else await this.#idle(one);
    two.goOn();
    two.learn();
  }

  #stopAt(host: SteppedHost, { at, stop }: StopPoint, which: "first" | "then"): void {
    const { changesOnly } = this.#schedule;
    host.stopAt({ at, stop, changesOnly, reached: () => (this.#reached[which] = true) });
  }

  async send(text: string, at = 0, conversationId = this.#name) {
    const { host } = this.#stages[at]!;
    const { stream } = this.#schedule;
    const response = await host.request(
      "POST",
      "/api/chat/completions",
      ask(text, { conversationId, stream }),
    );
    const body = await response.text();
    return { status: response.status, body };
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
    const held = [...shared.hosts.values()].flatMap((host) => shared.namesOf(host));
    if (held.includes(`conversation/${await this.#id()}`)) return false;
    if (hosts.some((host) => !host.isIdle)) return false;
    return (await this.#runs()).every(({ status }) => status === "ended");
  }

  async #id(): Promise<string> {
    return this.#stages[0]!.host.services.conversations.idOf(this.#name);
  }

  async #runs(): Promise<readonly StoredRun[]> {
    const indexes = [["conversationId"]];
    const runs = shared.records.collection<StoredRun>("runs", { indexes });
    return runs.find({ conversationId: await this.#id() });
  }

  async #approvals(): Promise<readonly StoredApproval[]> {
    const approvals = shared.records.collection<StoredApproval>("approvals", {
      indexes: [["conversationId"]],
    });
    return approvals.find({ conversationId: await this.#id() });
  }

  /** The person answers each question at the second host, or where it is stopped, at the first. */
  async #answerQuestions(): Promise<void> {
    const asked = new Set<string>();
    for (; !this.#isOver; await setTimeout(2))
      for (const { id, status } of await this.#approvals()) {
        const at = this.#host("two").isFrozen ? 0 : 1;
        if (status !== "pending" || asked.has(`${id} ${at}`)) continue;
        asked.add(`${id} ${at}`);
        void this.#stages
          [at]!.host.services.approvals.answer(id, { decision: "approve" })
          .then(() => this.#answered.push(id))
          .catch(() => asked.delete(`${id} ${at}`));
      }
  }

  async #messages(): Promise<readonly Message[]> {
    const messages = shared.records.collection<Message>("messages", { indexes: [["conversationId", "seq"]] });
    return messages.find({ conversationId: await this.#id() }, { order: "seq" });
  }

  /** What must hold once all is over. */
  async #look({ status, body }: { readonly status: number; readonly body: string }): Promise<void> {
    const messages = await this.#messages();
    const runs = await this.#runs();
    for (const { host, write, isLate } of shared.written)
      if (isLate && isWorks(write)) this.#faults.push(`${host} has written late: ${JSON.stringify(write)}`);
    for (const at of [0, 1])
      if (lab.count(`start ${at} ${this.#name}`) > 1) this.#faults.push(`effect ${at} was made twice`);
    const isAnswered = status === 200 && body.includes(`did ${this.#name}`);
    const last = messages.findLast(({ role }) => role === "assistant");
    if (isAnswered && last?.content !== `did ${this.#name}`) this.#faults.push(`lost: ${last?.content}`);
    if (isAnswered && messages[0]?.content !== this.#name) this.#faults.push("the person's message is lost");
    for (const { id, status: now } of await this.#approvals())
      if (this.#answered.includes(id) && now !== "answered")
        this.#faults.push(`the answer to ${id} is lost: ${now}`);
    if (runs.length > 1) this.#faults.push(`there are ${runs.length} runs`);
    this.#faults.push(...brokenIn(messages));
  }

  /** The first host goes on with what is stored now, and nothing else. */
  async #again(): Promise<void> {
    const before = await this.#messages();
    let answer: Awaited<ReturnType<OnePlay["send"]>> | undefined;
    void this.send(`again ${this.#name}`).then((got) => (answer = got));
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

  async #checkSent(before: readonly Message[]): Promise<void> {
    const { provider } = this.#stages[0]!;
    const sent = sentTo(provider).filter(({ role }) => role !== "system");
    if (before.length > 0 && sent.length !== before.length + 1)
      this.#faults.push(`the model was sent ${sent.length} messages, not ${before.length + 1}`);
  }
}

const sentTo = ({ requests }: MockProviderServer): readonly SentMessage[] =>
  (requests.at(-1)?.body as { messages: SentMessage[] }).messages;

/** What only the host that works in a conversation writes: anybody may bring an answer. */
const isWorks = (write: (typeof shared.written)[number]["write"]): boolean => {
  if (!("put" in write)) return false;
  if (write.collection === "approvals") return (write.put as StoredApproval).status !== "answered";
  const own = ["messages", "calls", "results", "run_events", "run_steps", "runs", "conversations"];
  return own.includes(write.collection);
};

/** A history has numbers without gaps, each message below the one before, and one result for each call. */
function brokenIn(messages: readonly Message[]): readonly string[] {
  const faults: string[] = [];
  for (const [at, { seq, parentMessageId }] of messages.entries()) {
    if (seq !== at + 1) faults.push(`message ${at + 1} has the number ${seq}`);
    if ((parentMessageId ?? null) !== (messages[at - 1]?.id ?? null))
      faults.push(`message ${seq} is out of place`);
  }
  for (const { id } of messages.flatMap(({ toolCalls }) => toolCalls ?? [])) {
    const results = messages.filter(({ toolCallId }) => toolCallId === id).length;
    if (results !== 1) faults.push(`the call ${id} has ${results} results`);
  }
  return faults;
}
export type { ChatAnswer, Conversation };
