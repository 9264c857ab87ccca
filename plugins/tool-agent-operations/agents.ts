import { createHash } from "node:crypto";
import {
  AppError,
  newId,
  ToolError,
  KeyedQueue,
  type PluginHost,
  type RunRecord,
  type RunRequest,
  type ToolContext,
} from "@pergola/sdk";
import { aboveOf, isNarrower } from "./above.ts";
import type { Agent, Wishes } from "./agent.ts";
import { Inbox } from "./inbox.ts";
import { orderFor, settingsFor } from "./order.ts";
import { Roster } from "./roster.ts";
import { messagesFor, summaryOf, titleFor } from "./words.ts";

const isNotFound = (error: unknown): boolean => AppError.is(error) && error.code === "not_found";

/**
 * The sub-agents of one host. Their records outlive a restart; what each works on is a run of the host.
 */
export class Agents {
  readonly inbox: Inbox;
  readonly roster: Roster;
  readonly #host: PluginHost;
  readonly #turns = new KeyedQueue();
  #isOpen = false;

  constructor(host: PluginHost) {
    this.#host = host;
    this.roster = new Roster(host);
    this.inbox = new Inbox(host);
  }

  /**
   * Settles what ended while nobody looked. What was cut is the run service's: it is resumed, cancelled or
   * left as any other run. Where another host works in the conversation above, it may just be about to start
   * an agent.
   */
  async open(): Promise<void> {
    for (const agent of await this.roster.alive()) {
      if (!(await this.roster.exists(agent.parentId))) await this.#remove(agent);
      else if (!(await this.roster.isAtWork((await this.#newestIn(agent.parentId))?.id)))
        await this.#takeUp(agent);
    }
    this.#isOpen = true;
  }

  async #newestIn(conversationId: string): Promise<RunRecord | undefined> {
    return (await this.#services.runs.list({ conversationId, limit: 1 })).items[0];
  }

  /** Resolves when what is to be noted of runs that have ended is noted. */
  async close(): Promise<void> {
    this.#isOpen = false;
    await this.#turns.idle();
  }

  /** A crash may have come before the agent's run was noted, or after it had ended. */
  async #takeUp(agent: Agent): Promise<void> {
    const newest = await this.#newestIn(agent.conversationId);
    if (newest === undefined) return this.#remove(agent);
    const { id: runId } = newest;
    if (runId !== agent.runId)
      await this.roster.change(agent.id, (now) =>
        now.runId === agent.runId ? { ...now, runId, state: "working" } : undefined,
      );
    await this.settle(newest);
  }

  get #services() {
    return this.#host.services;
  }

  async spawn(
    task: string,
    wishes: Wishes,
    { persistent, wait }: { readonly persistent: boolean; readonly wait: boolean },
    context: ToolContext,
  ): Promise<Agent> {
    const { callId, conversationId: parentId, workingDirectory } = context;
    const known = await this.roster.by(callId);
    if (known !== undefined) return known;
    const above = await aboveOf(this.#services, context);
    const depth = await this.roster.depthBelow(parentId);
    const crowded = await this.roster.crowded(parentId);
    if (crowded !== undefined) throw crowded;
    const id = `agent_${createHash("sha256").update(callId).digest("hex").slice(0, 12)}`;
    const createdAt = new Date(context.clock.now()).toISOString();
    const agent: Agent = {
      id,
      callId,
      parentId,
      conversationId: newId.uuid(),
      task,
      wishes,
      persistent,
      depth,
      createdAt,
      runId: null,
      order: null,
      state: "working",
      waiting: [],
      summary: "",
    };
    await this.roster.add(agent);
    try {
      const settings = settingsFor(await this.#services.conversations.get(parentId), wishes);
      const fields = {
        id: agent.conversationId,
        title: titleFor(task),
        hidden: true,
        settings,
        workingDirectory,
      };
      const caller =
        above.id === undefined ? { ...above.request.caller, remote: false } : above.request.caller;
      await this.#services.conversations.create(fields, caller);
      const order = await orderFor(this.#services, agent, above, wait ? callId : undefined);
      return await this.#turns.run(id, () => this.#work(agent, [task], order, context.signal));
    } catch (error) {
      await this.#remove(agent);
      throw spawnFault(error);
    }
  }

  /** Its newest run, once it has ended; a run that a restart has cut is taken up again. */
  async ended(agent: Agent) {
    const { runs } = this.#services;
    const runId = agent.runId ?? "";
    if (runs.live(runId) === undefined) await runs.resume(runId).catch(() => undefined);
    await runs.live(runId)?.done;
    const run = await runs.get(runId);
    return { agent: await this.now(agent), run };
  }

  /**
   * Sends an agent a message: it works on it at once when it is idle, else after what it works on now.
   * Returns why it cannot.
   */
  async send({ id }: Agent, message: string, context: ToolContext): Promise<ToolError | undefined> {
    return this.#turns.run(id, async () => {
      const agent = await this.#current(id);
      if (agent === undefined || agent.state === "ended")
        throw new ToolError("conflict", `The agent ${id} has ended.`, { hint: "Spawn another." });
      const above = await aboveOf(this.#services, context);
      if (agent.state === "working" && (await this.roster.isAtWork(agent.runId))) {
        if (agent.order !== null && isNarrower(above.request.caller, agent.order.caller))
          return new ToolError("conflict", `The agent ${id} works for somebody who may do more.`, {
            hint: "Send it once it is idle.",
          });
        await this.roster.change(id, (now) => ({ ...now, waiting: [...now.waiting, message] }));
        return undefined;
      }
      const crowded = await this.roster.crowded(agent.parentId);
      if (crowded !== undefined) return crowded;
      const order = await orderFor(this.#services, agent, above, undefined);
      await this.#work(agent, [...agent.waiting, message], order, context.signal);
      return undefined;
    });
  }

  /** Ends an agent, what it works on, and its own agents. */
  async kill({ id }: Agent): Promise<void> {
    await this.#turns.run(id, async () => {
      const agent = await this.#current(id);
      if (agent === undefined || agent.state === "ended") return;
      await this.roster.change(id, (now) => ({ ...now, state: "ended", waiting: [] }));
      await this.#services.runs.cancel(agent.runId ?? "").catch(() => undefined);
      await this.#endBelow(agent);
    });
  }

  async #endBelow({ conversationId }: Agent): Promise<void> {
    for (const agent of await this.roster.of(conversationId)) await this.kill(agent);
  }

  /**
   * A run has ended: where it is an agent's, its summary goes to the inbox above, and the agent goes on with
   * what it was sent meanwhile. What a cancelled one, or one at a stop, was sent waits for the next message.
   */
  async settle(run: RunRecord): Promise<void> {
    if (run.kind !== "subagent" || run.status !== "ended") return;
    await this.#turns.run(run.id, async () => {
      const found = await this.roster.in(run.conversationId);
      if (found !== undefined)
        await this.#turns.run(found.id, async () => this.#settle(await this.roster.get(found.id), run));
    });
  }

  /** The agent as it is now; a run of it that has just ended is settled first. */
  async now({ id, ...rest }: Agent): Promise<Agent> {
    return (await this.#turns.run(id, () => this.#current(id))) ?? { id, ...rest };
  }

  async #settle(agent: Agent | undefined, run: RunRecord): Promise<void> {
    if (agent === undefined || agent.runId !== run.id || agent.state === "idle") return;
    const newest = { limit: 20, newest: true };
    const messages = await this.#services.conversations.messages(run.conversationId, newest);
    const ofRun = messages.filter(({ runId }) => runId === run.id);
    const summary = summaryOf(run, ofRun);
    const note = (next: Agent["state"]) =>
      this.roster.change(agent.id, (now) => {
        const state = now.state === "ended" ? "ended" : next;
        return now.runId === run.id ? { ...now, summary, state } : undefined;
      });
    if (agent.state === "ended") return void (await note("ended"));
    await this.#report(agent, run, summary);
    if (agent.waiting.length > 0 && agent.order !== null && (await this.#canContinue(agent, run))) {
      const continued = await this.#work({ ...agent, summary }, agent.waiting, agent.order).catch(
        (error: unknown) =>
          this.#host.log.warn({ error, agent: agent.id }, "an agent could not go on with what it was sent"),
      );
      if (continued !== undefined) return;
    }
    await note(agent.persistent ? "idle" : "ended");
    if (!agent.persistent) await this.#endBelow(agent);
  }

  /** The summary is read already where a call has waited for it. */
  async #report({ id: agentId, parentId, task, order }: Agent, run: RunRecord, text: string): Promise<void> {
    const time = run.endedAt ?? new Date(this.#host.clock.now()).toISOString();
    const unread = order?.parent?.callId === undefined;
    await this.inbox.add({ id: run.id.replace("run_", "msg_"), parentId, agentId, task, time, text, unread });
  }

  async #canContinue({ persistent, order }: Agent, { completionReason }: RunRecord): Promise<boolean> {
    if (completionReason === "cancelled" || !this.#isOpen) return false;
    if (persistent || order?.parent === undefined) return true;
    return this.roster.isAtWork(order.parent.runId);
  }

  /** A conversation was deleted: its agents go, and the agent whose conversation it was. */
  async forget(conversationId: string): Promise<void> {
    for (const agent of await this.roster.of(conversationId)) await this.#remove(agent);
    const own = await this.roster.in(conversationId);
    if (own !== undefined) await this.roster.remove(own.id);
    await this.inbox.forget(conversationId);
  }

  async #remove({ id, conversationId }: Agent): Promise<void> {
    await this.roster.remove(id);
    await this.#services.conversations
      .delete(conversationId, { deleteFiles: false })
      .catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
  }

  /** Only for who has the agent's turn. */
  async #work(
    agent: Agent,
    texts: readonly string[],
    order: RunRequest,
    signal?: AbortSignal,
  ): Promise<Agent> {
    const live = await this.#services.runs.start({
      ...order,
      messages: messagesFor(agent.wishes.instructions, texts),
    });
    if (signal?.aborted === true) live.cancel();
    await live.admit();
    const working = { state: "working", runId: live.id, order } as const;
    const waiting = (now: Agent): readonly string[] => now.waiting.slice(agent.waiting.length);
    const changed = await this.roster.change(agent.id, (now) => ({
      ...now,
      ...working,
      summary: agent.summary,
      waiting: waiting(now),
    }));
    return changed ?? { ...agent, ...working, waiting: [] };
  }

  /** As it is now; a run that has just ended is settled first. Only for who has the agent's turn. */
  async #current(id: string): Promise<Agent | undefined> {
    const agent = await this.roster.get(id);
    if (agent?.state !== "working" || agent.runId === null) return agent;
    const run = await this.#services.runs.get(agent.runId).catch(() => undefined);
    if (run?.status !== "ended") return agent;
    await this.#settle(agent, run);
    return this.roster.get(id);
  }
}

/** What the model can mend, in words for it. */
function spawnFault(error: unknown): unknown {
  if (!AppError.is(error) || !/^(model_not_found|no_provider)$/.test(error.code)) return error;
  return new ToolError("invalid_value", error.message, {
    hint: "Leave model out to use your own.",
    cause: error,
  });
}
