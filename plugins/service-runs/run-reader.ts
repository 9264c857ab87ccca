import { AppError, type Page, type RunRecord, type RunService } from "@pergola/sdk";
import type { Parts, RunKeeper, StoredRun } from "@pergola/sdk/host";
import { addUpUsage } from "./add-up-usage.ts";
import { explainRun } from "./explain-run.ts";
import { listRuns } from "./list-runs.ts";
import type { OtherHosts } from "./other-hosts.ts";
import type { RunInProgress } from "./run-in-progress.ts";
import { publicRun } from "./stored-runs.ts";

/** Runs as those see them who only look: those that this host works on, and all that are stored. */
export class RunReader {
  readonly #parts: Parts;
  readonly #active: ReadonlyMap<string, RunInProgress>;

  readonly #others: OtherHosts;

  constructor(parts: Parts, active: ReadonlyMap<string, RunInProgress>, others: OtherHosts) {
    this.#parts = parts;
    this.#active = active;
    this.#others = others;
  }

  readonly get = async (id: string): Promise<RunRecord> => {
    const [run] = await this.#now([await this.#find(id)]);
    return publicRun(run as StoredRun);
  };

  async #find(id: string): Promise<StoredRun> {
    const found = this.#active.get(id)?.record ?? (await this.#parts.stores.runs.get(id));
    if (found !== undefined) return found;
    throw new AppError({ code: "not_found", message: `There is no run "${id}".` });
  }

  /**
   * A stored run that no host works on has been cut, by a stop or because its end could not be stored.
   */
  async #now(runs: readonly StoredRun[]): Promise<readonly StoredRun[]> {
    const isOpen = (run: StoredRun): boolean => run.status !== "ended" && !this.#active.has(run.id);
    const open = runs.filter(isOpen).map(({ conversationId }) => conversationId);
    const elsewhere = await this.#others.among(open);
    return runs.map((run) => {
      if (!isOpen(run) || elsewhere.has(run.conversationId)) return run;
      return { ...run, status: "interrupted" };
    });
  }

  readonly list = async (filter: Parameters<RunService["list"]>[0]): Promise<Page<RunRecord>> => {
    const waiting = [...this.#active.values()].filter((run) => !run.isAdmitted);
    const unsaved = waiting.map(({ record }) => record);
    const { items, count } = await listRuns(this.#parts, filter, unsaved);
    return { items: (await this.#now(items)).map(publicRun), count };
  };

  readonly usage: RunKeeper["usage"] = (query) => addUpUsage(this.#parts, query);

  readonly explain: RunKeeper["explain"] = async (id) =>
    explainRun(this.#parts, await this.#find(id), this.#active.get(id)?.steps);
}
