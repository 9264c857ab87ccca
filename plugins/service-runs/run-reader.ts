import { AppError, type Page, type RunRecord, type RunService } from "@pergola/sdk";
import type { Parts, RunKeeper, StoredRun } from "@pergola/sdk/host";
import { addUpUsage } from "./add-up-usage.ts";
import { explainRun } from "./explain-run.ts";
import { listRuns } from "./list-runs.ts";
import type { RunInProgress } from "./run-in-progress.ts";
import { publicRun } from "./stored-runs.ts";

/** Runs as those see them who only look: those that this host works on, and all that are stored. */
export class RunReader {
  readonly #parts: Parts;
  readonly #active: ReadonlyMap<string, RunInProgress>;

  constructor(parts: Parts, active: ReadonlyMap<string, RunInProgress>) {
    this.#parts = parts;
    this.#active = active;
  }

  readonly get = async (id: string): Promise<RunRecord> => publicRun(this.#now(await this.#find(id)));

  async #find(id: string): Promise<StoredRun> {
    const found = this.#active.get(id)?.record ?? (await this.#parts.stores.runs.get(id));
    if (found !== undefined) return found;
    throw new AppError({ code: "not_found", message: `There is no run "${id}".` });
  }

  /** A stored run that nobody works on has been cut, by a stop or because its end could not be stored. */
  #now(run: StoredRun): StoredRun {
    if (run.status === "ended" || this.#active.has(run.id)) return run;
    return { ...run, status: "interrupted" };
  }

  readonly list = async (filter: Parameters<RunService["list"]>[0]): Promise<Page<RunRecord>> => {
    const waiting = [...this.#active.values()].filter((run) => !run.isAdmitted);
    const unsaved = waiting.map(({ record }) => record);
    const { items, count } = await listRuns(this.#parts, filter, unsaved);
    return { items: items.map((run) => publicRun(this.#now(run))), count };
  };

  readonly usage: RunKeeper["usage"] = (query) => addUpUsage(this.#parts, query);

  readonly explain: RunKeeper["explain"] = async (id) =>
    explainRun(this.#parts, await this.#find(id), this.#active.get(id)?.steps);
}
