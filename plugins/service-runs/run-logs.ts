import type { LiveRun, RunLog, RunRecord } from "@pergola/sdk";
import type { Parts } from "@pergola/sdk/host";
import { EndedRuns } from "./ended-runs.ts";
import type { EventStore } from "./event-store.ts";
import { farRun } from "./far-run.ts";
import { forgetOld } from "./forget-old.ts";
import type { OtherHosts } from "./other-hosts.ts";
import { pastRun } from "./past-run.ts";
import type { RunInProgress } from "./run-in-progress.ts";

interface RunLogsOptions {
  readonly active: ReadonlyMap<string, RunInProgress>;
  readonly events: EventStore;
  readonly others: OtherHosts;
  readonly get: (id: string) => Promise<RunRecord>;
}

/** What happened in runs, wherever it is known: at work here or elsewhere, just ended, or stored. */
export class RunLogs {
  readonly #parts: Parts;
  readonly #options: RunLogsOptions;
  readonly #ended = new EndedRuns();

  constructor(parts: Parts, options: RunLogsOptions) {
    this.#parts = parts;
    this.#options = options;
  }

  live(id: string): LiveRun | undefined {
    return this.#options.active.get(id) ?? this.#ended.get(id);
  }

  async log(id: string): Promise<RunLog | undefined> {
    const { events, others, get } = this.#options;
    const live = this.live(id);
    if (live !== undefined && (live.record.endedAt === null || live.record.endedAt >= events.oldest))
      return live;
    const record = await get(id);
    if (record.status !== "ended" && (await others.has(record.conversationId)))
      return farRun(this.#parts, { record, events, others });
    const stored = await events.read(id);
    return stored.length === 0 ? undefined : pastRun(record, stored);
  }

  /** Keeps a run that has ended for a while, and forgets what has had its time. */
  retain(run: RunInProgress): void {
    const { events } = this.#options;
    this.#ended.add(run, events.oldest);
    void forgetOld(this.#parts, events);
  }
}
