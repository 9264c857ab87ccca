import { AppError, defined, ToolError, type Collection, type PluginHost } from "@pergola/sdk";
import type { Agent } from "./agent.ts";
import { isConflict } from "./is-conflict.ts";

const all = { limit: 1_000_000 };
/** How often a change is made anew where something else was stored meanwhile. */
const mostTries = 5;

/** The records of agents, and what is known of them. */
export class Roster {
  readonly #records: Collection<Agent>;
  readonly #host: PluginHost;

  constructor(host: PluginHost) {
    this.#host = host;
    this.#records = host.collection<Agent>("agents");
  }

  get(id: string): Promise<Agent | undefined> {
    return this.#records.get(id);
  }

  /** Only for the run that spawns it: nothing once another host has that run, or has stored the agent. */
  async add(agent: Agent): Promise<void> {
    await this.#host.collection<Agent>("agents", undefined, agent.parentId).put(agent, { ifVersion: 0 });
  }

  /**
   * Makes of the agent what `change` gives for it as it is now, which may be another host's doing; undefined
   * where it is gone or nothing is given. So a host that comes late spoils nothing: what it does not find is
   * not its business any more.
   */
  async change(id: string, change: (agent: Agent) => Agent | undefined): Promise<Agent | undefined> {
    for (let tries = 1; ; tries += 1) {
      const { version, ...agent } = (await this.#records.get(id)) ?? { version: 0 };
      const changed = version === 0 ? undefined : change(agent as Agent);
      if (changed === undefined) return undefined;
      try {
        await this.#records.put(changed, { ifVersion: version });
        return changed;
      } catch (error) {
        if (tries === mostTries || !isConflict(error)) throw error;
      }
    }
  }

  async remove(id: string): Promise<void> {
    await this.#records.delete(id);
  }

  /** The agent that this call has spawned. */
  async by(callId: string): Promise<Agent | undefined> {
    return (await this.#records.find({ callId }))[0];
  }

  /** Whether a host works on the run. */
  async isAtWork(runId: string | null | undefined): Promise<boolean> {
    const run = runId ? await this.#services.runs.get(runId).catch(() => undefined) : undefined;
    return run !== undefined && /^(queued|running|waiting)$/.test(run.status);
  }

  get #services() {
    return this.#host.services;
  }

  /** Those of a conversation, oldest first. */
  async of(parentId: string): Promise<readonly Agent[]> {
    return this.#records.find({ parentId }, { ...all, order: "createdAt" });
  }

  /** Those of a conversation that have not ended, oldest first. */
  async aliveOf(parentId: string): Promise<readonly Agent[]> {
    return (await this.of(parentId)).filter(({ state }) => state !== "ended");
  }

  /** Those of all conversations that have not ended. */
  async alive(): Promise<readonly Agent[]> {
    return this.#records.find({ state: { in: ["working", "idle"] } }, all);
  }

  /** The agent whose own conversation this is. */
  async in(conversationId: string): Promise<Agent | undefined> {
    return (await this.#records.find({ conversationId }))[0];
  }

  /** Throws ToolError `not_found`, naming those that there are. */
  async one(id: string, parentId: string): Promise<Agent> {
    const agents = await this.of(parentId);
    const found = agents.find((agent) => agent.id === id);
    if (found !== undefined) return found;
    const ids = agents.map((agent) => agent.id).join(", ");
    throw new ToolError("not_found", `There is no agent "${id}".`, {
      hint: (ids && `Agents: ${ids}.`) || "There are no agents; spawn one.",
    });
  }

  /** The state of the run it works on, `idle` between two, or `ended`. */
  async statusOf({ runId, state }: Agent) {
    const run = await this.#services.runs.get(runId ?? "").catch(() => undefined);
    const status = state === "working" ? (run?.status ?? "queued") : state;
    return { status, iterations: run?.iterations ?? 0 };
  }

  /** When its conversation last changed. */
  async lastActivity({ conversationId, createdAt }: Agent): Promise<string> {
    const found = await this.#services.conversations.get(conversationId).catch(() => undefined);
    return found?.updated ?? createdAt;
  }

  /** The newest messages of its conversation, oldest first. */
  async messagesOf({ conversationId }: Agent) {
    const newest = { limit: 200, newest: true };
    const messages = await this.#services.conversations.messages(conversationId, newest);
    return messages.map(({ role, content, timestamp, toolName, toolCalls = [] }) => {
      const calls = toolCalls.map((call) => `${call.name} ${call.arguments}`);
      return {
        ...defined({
          role,
          time: timestamp,
          text: content ?? "",
          tool: toolName,
        }),
        ...(calls.length > 0 && { calls }),
      };
    });
  }

  async exists(conversationId: string): Promise<boolean> {
    return this.#services.conversations.get(conversationId).then(
      () => true,
      (error: unknown) => {
        if (AppError.is(error) && error.code === "not_found") return false;
        throw error;
      },
    );
  }

  /**
   * How deep an agent of this conversation stands. Throws ToolError `permission_denied` below
   * `agents.max_depth`.
   */
  async depthBelow(conversationId: string): Promise<number> {
    const depth = ((await this.in(conversationId))?.depth ?? 0) + 1;
    const most = this.#services.preferences.get<number>("agents.max_depth");
    if (depth <= most) return depth;
    const message = `Agents may be nested ${most} deep (agents.max_depth); this would be ${depth}.`;
    throw new ToolError("permission_denied", message, { hint: "Do the task yourself." });
  }

  /** What to say when `agents.max_parallel` agents of the conversation are at work; else undefined. */
  async crowded(parentId: string): Promise<ToolError | undefined> {
    const most = this.#services.preferences.get<number>("agents.max_parallel");
    const working = (await this.of(parentId)).filter(({ state }) => state === "working");
    const atWork = await Promise.all(working.map(async ({ runId }) => this.isAtWork(runId)));
    const busy = atWork.filter(Boolean).length;
    if (busy < most) return undefined;
    return new ToolError("conflict", `${busy} agents are at work; agents.max_parallel is ${most}.`, {
      hint: "Wait until one has ended, or kill one.",
    });
  }
}
