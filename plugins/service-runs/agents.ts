import type { RunEvent, RunRequest } from "@pergola/sdk";
import type { Parts, StoredRun } from "@pergola/sdk/host";
import type { RunInProgress } from "./run-in-progress.ts";

/** What the events of a run show of its sub-agents: their calls and their questions. */
export function eventForParent(event: RunEvent, parentTool: string): RunEvent | undefined {
  if (event.type === "tool") return { ...event, parentTool };
  if (event.type === "question" || event.type === "question_closed") return event;
  return undefined;
}

/** What becomes of the sub-agents of a run when it ends, one way or another. */
export class Agents {
  readonly #parts: Parts;
  readonly #active: ReadonlyMap<string, RunInProgress>;
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(parts: Parts, active: ReadonlyMap<string, RunInProgress>) {
    this.#parts = parts;
    this.#active = active;
  }

  /** Gives the run that started this one, while this host works on it. */
  parentOf({ parent }: RunRequest): () => RunInProgress | undefined {
    return () => this.#active.get(parent?.runId ?? "");
  }

  /** The trace under which a run's spans belong: a sub-agent's with the call that started it. */
  async traceFor({ trace, parent }: RunRequest): Promise<string | undefined> {
    const { telemetry, stores } = this.#parts;
    if (telemetry === undefined || parent === undefined) return telemetry?.traceFor({ trace }, undefined);
    const above = this.#active.get(parent.runId)?.record ?? (await stores.runs.get(parent.runId));
    return telemetry.traceFor({ parent }, above);
  }

  of(runId: string): readonly RunInProgress[] {
    return [...this.#active.values()].filter(({ request }) => request.parent?.runId === runId);
  }

  /** Those that a stop has interrupted; oldest first. */
  async interruptedOf(runId: string): Promise<readonly StoredRun[]> {
    const below = await this.#parts.stores.runs.find(
      { parentRunId: runId, status: "interrupted" },
      { order: "createdAt", limit: 100_000 },
    );
    return below.filter(({ id }) => !this.#active.has(id));
  }

  /** The run above was cancelled, is interrupted, or has taken too long: so have they. */
  stopAgentsOf(run: RunInProgress): void {
    for (const agent of this.of(run.id))
      if (run.isInterrupted) agent.interrupt();
      else if (run.expired !== undefined) agent.expire(run.expired);
      else agent.cancel();
  }

  /** The run above has ended by itself: those that are not to outlive it get `agents.grace_seconds`. */
  limitAgentsOf({ id, record }: RunInProgress): void {
    const bound = (): readonly RunInProgress[] =>
      this.of(id).filter(({ request }) => request.parent?.outlived !== true);
    if (record.status !== "ended" || bound().length === 0) return;
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        for (const agent of bound()) agent.cancel();
      },
      this.#parts.preferences.get<number>("agents.grace_seconds") * 1000,
    );
    this.#timers.add(timer.unref());
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }
}
