import { setTimeout } from "node:timers/promises";
import { conversationIdOfAlias } from "@pergola/sdk/host";
import type { StreamChunk } from "@pergola/sdk/testing";
import { approvals } from "../../support/lab-stage.ts";
import { chatBody, follow } from "./chat.ts";
import { callPhases, ModelCalls, type Phase } from "./phases.ts";
import { playPlans, type Plan, type Recovery } from "./plan.ts";
import type { Random } from "./random.ts";
import { openService, type Service } from "./service.ts";

/** A request that was sent, and what its client has seen of it. */
export interface Deed {
  readonly plan: Plan;
  readonly conversationId: string;
  /** The answer came to its end. */
  acknowledged: boolean;
  /** A run in the background was admitted. */
  admitted?: string;
  /** The blocked call that the client was shown. */
  question?: string;
  answer?: "sent" | "acknowledged";
  /** Its run was given up, and its question with it. */
  ended?: boolean;
}

/** A number that is written again and again: at least `acknowledged` is stored, and at most `sent`. */
export interface Counter {
  readonly id: string;
  sent: number;
  acknowledged: number;
}

interface StoredRun {
  readonly id: string;
  readonly status: string;
  readonly conversationId: string;
}

/** The calls of the chats that are begun between two kills. */
const shapes: Readonly<Record<string, readonly (readonly Recovery[])[]>> = {
  once: [["once"]],
  repeat: [["repeat"]],
  reconcile: [["reconcile"]],
  ask: [["ask"]],
  mixed: [
    ["look", "ask"],
    ["reconcile", "once"],
  ],
  slow: [],
};

/** What the preference `runs.resume` may say. */
export type ResumePolicy = "ask" | "auto" | "never";

/** The same, but it fails after some seconds and says what the host has written. */
async function soon<T>(promise: Promise<T>, what: string, service: Service): Promise<T> {
  const late = new AbortController();
  const limit = setTimeout(20_000, undefined, { signal: late.signal }).then(() => {
    throw new Error(
      `${what} did not come. The host wrote: ${service.program.stdout}${service.program.stderr}`,
    );
  });
  return Promise.race([promise, limit]).finally(() => late.abort());
}

/**
 * One data directory under many kills: clients at work, kills at any time, and a ledger of what was
 * acknowledged.
 */
export class Storm {
  readonly service: Service;
  readonly policy: ResumePolicy;
  readonly deeds: Deed[] = [];
  readonly titles: Counter[] = [];
  readonly chats: Counter[] = [];
  /** Answers that no request should get. */
  readonly faults: string[] = [];
  readonly #random: Random;
  readonly #calls: ModelCalls;
  #tracesBefore = 0;
  #session = 0;
  #alive = false;

  private constructor(service: Service, calls: ModelCalls, random: Random, policy: ResumePolicy) {
    this.service = service;
    this.policy = policy;
    this.#calls = calls;
    this.#random = random;
  }

  static async open(random: Random, policy: ResumePolicy = "ask"): Promise<Storm> {
    const calls = new ModelCalls();
    const settings = { "runs.max_parallel": 64, "runs.queue_seconds": 0, "runs.resume": policy };
    const service = await openService((request) => {
      calls.watch(request);
      return playPlans(request);
    }, settings);
    return new Storm(service, calls, random, policy);
  }

  async start(): Promise<void> {
    this.#tracesBefore = this.service.traces().length;
    this.#session += 1;
    await soon(this.service.start(), "the start", this.service);
    this.#alive = true;
  }

  /**
   * Lets clients work for a while and kills the host; given `aim`, as soon as that is at work, if it comes.
   * What the kill has hit.
   */
  async workAndKill(aim?: Phase): Promise<ReadonlySet<Phase>> {
    const interrupted = await this.runs("interrupted");
    const pending = await this.#pending();
    const asked = this.#calls.next();
    const work = [...interrupted.map((run) => this.#resume(run, pending.get(run.id))), ...this.#begin()];
    if (this.#random.between(0, 9) > 0) await soon(asked, "the first model call", this.service);
    await setTimeout(this.#random.between(0, aim === undefined ? 500 : 100));
    const hit = await this.#phasesAt(aim);
    this.#alive = false;
    const { exitCode, signalCode } = this.service.program.child;
    if (exitCode !== null || signalCode !== null)
      this.faults.push(`the host ended by itself: ${this.service.program.stderr}`);
    await this.service.kill();
    await soon(Promise.all(work), "the end of all requests", this.service);
    return hit;
  }

  /** What is at work, at the moment that `aim` is among it; without one, or when it does not come, now. */
  async #phasesAt(aim: Phase | undefined): Promise<ReadonlySet<Phase>> {
    for (const end = performance.now() + 2000; ; await setTimeout(5)) {
      const found = new Set([
        ...this.#calls.phases(),
        ...callPhases(this.service, this.#tracesBefore),
        ...this.#clientPhases(),
      ]);
      if (aim === undefined || found.has(aim) || performance.now() > end) return found;
    }
  }

  #clientPhases(): readonly Phase[] {
    const open = ({ sent, acknowledged }: Counter): boolean => sent > acknowledged;
    return [
      ...(this.deeds.some(({ question, answer }) => question !== undefined && answer === undefined)
        ? (["approval"] as const)
        : []),
      ...(this.chats.slice(-1).some(open) ? (["chat"] as const) : []),
      ...(this.titles.slice(-1).some(open) ? (["write"] as const) : []),
    ];
  }

  async runs(status?: string): Promise<readonly StoredRun[]> {
    const query = status === undefined ? "" : `&status=${status}`;
    return (await this.service.json<{ runs: StoredRun[] }>("GET", `/api/runs?limit=1000${query}`)).body.runs;
  }

  /** Blocked calls by their run. */
  async #pending(): Promise<ReadonlyMap<string, string>> {
    return new Map((await approvals(this.service)).map(({ runId, toolCallId }) => [runId ?? "", toolCallId]));
  }

  #begin(): readonly Promise<void>[] {
    const chats = Object.entries(shapes).map(([name, turns]) => this.#chat(this.#plan(name, turns)));
    return [...chats, this.#background(), this.#writeTitles(), this.#chatOn()];
  }

  #plan(name: string, turns: readonly (readonly Recovery[])[]): Plan {
    const { between } = this.#random;
    const call = (operation: Recovery) => ({ operation, before: between(0, 80), after: between(0, 80) });
    const times = { think: between(0, 60), pause: between(0, 25) };
    return { id: `s${this.#session}-${name}`, turns: turns.map((turn) => turn.map(call)), ...times };
  }

  async #chat(plan: Plan, conversationId = plan.id): Promise<void> {
    const deed: Deed = { plan, conversationId, acknowledged: false };
    this.deeds.push(deed);
    const saw = ({ event }: StreamChunk): void => {
      if (event?.type !== "user_input_required") return;
      deed.question = String(event["toolCallId"]);
      if (this.#random.between(0, 2) === 0) void this.#answer(deed, true);
    };
    const end = await follow(this.service, plan, { saw, conversationId });
    if (end === "ended") deed.acknowledged = true;
    else if (end !== "cut" && !this.#isAhead(end, conversationId !== plan.id))
      this.faults.push(`${plan.id}: ${end}`);
  }

  async #background(): Promise<void> {
    const plan = this.#plan("background", [["once"], ["reconcile"]]);
    const deed: Deed = { plan, conversationId: plan.id, acknowledged: false };
    this.deeds.push(deed);
    const body = { ...chatBody(this.service, plan), background: true };
    deed.admitted = (await this.#send<{ runId: string }>("POST", "/api/chat/autonomous", body))?.runId;
  }

  async #answer(deed: Deed, approved: boolean): Promise<void> {
    deed.answer = "sent";
    const body = { toolCallId: deed.question, approved };
    if ((await this.#send("POST", "/api/chat/tool-response", body)) !== undefined)
      deed.answer = "acknowledged";
  }

  /** Makes a conversation and gives it one title after the other. */
  async #writeTitles(): Promise<void> {
    const counter: Counter = { id: `s${this.#session}-titles`, sent: 1, acknowledged: 0 };
    this.titles.push(counter);
    const made = await this.#send("POST", "/v1/conversations", { id: counter.id, title: `${counter.id} 1` });
    if (made !== undefined) counter.acknowledged = 1;
    while (this.#alive) {
      counter.sent += 1;
      const done = await this.#send("PATCH", `/v1/conversations/${counter.id}`, {
        title: `${counter.id} ${counter.sent}`,
      });
      if (done !== undefined) counter.acknowledged = counter.sent;
      await setTimeout(this.#random.between(0, 15));
    }
  }

  /** One plain chat message after the other. */
  async #chatOn(): Promise<void> {
    const counter: Counter = { id: `s${this.#session}-chats`, sent: 0, acknowledged: 0 };
    this.chats.push(counter);
    while (this.#alive) {
      await setTimeout(this.#random.between(0, 15));
      counter.sent += 1;
      const body = {
        ...chatBody(this.service, { id: `${counter.id}-${counter.sent}` }),
        conversationId: counter.id,
      };
      if ((await this.#send("POST", "/api/chat/completions", body)) !== undefined)
        counter.acknowledged = counter.sent;
    }
  }

  /** The deed whose call waits for the person. */
  #deedOf(pending: string | undefined): Deed | undefined {
    const deed =
      pending === undefined ? undefined : this.deeds.find(({ plan }) => pending.startsWith(`${plan.id}_`));
    if (deed !== undefined) deed.question = pending;
    return deed;
  }

  /** What somebody does with a run that a kill has interrupted. */
  async #resume({ id, conversationId }: StoredRun, pending: string | undefined): Promise<void> {
    const deed = this.#deedOf(pending);
    const choice = this.#random.between(0, 9);
    if (deed !== undefined && choice < 6) return this.#answer(deed, choice < 4);
    if (deed !== undefined && choice >= 8) deed.ended = true;
    if (choice < 8) await this.#send("POST", `/api/runs/${id}/resume`);
    else if (choice === 8) await this.#send("DELETE", `/api/runs/${id}`);
    else
      await this.#resumeWith(
        this.deeds.find((deed) => conversationIdOfAlias(deed.conversationId) === conversationId),
      );
  }

  async #resumeWith(deed: Deed | undefined): Promise<void> {
    if (deed !== undefined)
      await this.#chat(this.#plan(`next-${deed.plan.id}`, [["once"]]), deed.conversationId);
  }

  /** The answer's body; undefined when the host was gone before it came. */
  async #send<T = object>(method: string, route: string, body?: unknown): Promise<T | undefined> {
    try {
      const answer = await this.service.json<T>(method, route, body);
      if (answer.status < 400) return answer.body;
      if (this.#isOvertaken(`${method} ${route}`, answer)) return undefined;
      this.faults.push(`${method} ${route}: ${answer.status} ${JSON.stringify(answer.body)}`);
    } catch {
      return undefined;
    }
    return undefined;
  }

  /** A host that resumes by itself may have been faster than the person: the run is at work, or has ended. */
  #isOvertaken(what: string, { status, body }: { readonly status: number; readonly body: unknown }): boolean {
    if (this.policy !== "auto" || status !== 409) return false;
    return what.endsWith("/resume") || (/^DELETE/.test(what) && JSON.stringify(body).includes('"run_ended"'));
  }

  /** The same for a message to a conversation whose run the person has seen interrupted. */
  #isAhead(end: string, isNext: boolean): boolean {
    return isNext && this.policy === "auto" && /^409 .*"(conversation_busy|approval_pending)"/.test(end);
  }

  /** Resumes and approves until every run has ended. */
  async settle(): Promise<void> {
    for (const { id } of await this.runs("interrupted")) await this.#send("POST", `/api/runs/${id}/resume`);
    const unfinished = async () => (await this.runs()).filter(({ status }) => status !== "ended");
    for (const end = performance.now() + 20_000; (await unfinished()).length > 0; await setTimeout(20)) {
      for (const toolCallId of (await this.#pending()).values())
        await this.#answer(this.#deedOf(toolCallId) as Deed, true);
      if (performance.now() > end)
        throw new Error(`These runs do not end: ${JSON.stringify(await unfinished())}`);
    }
  }
}
