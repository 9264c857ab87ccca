import type { Collection, RunRecord } from "@pergola/sdk";

/** What the runs with one model have used so far. */
export interface ModelTally {
  /** The model. */
  readonly id: string;
  readonly runs: number;
  readonly tokens: number;
}

type FinishedRun = Pick<RunRecord, "model" | "usage">;

/** Adds runs up by their models. Runs that end at the same time are added one after the other. */
export class Tally {
  readonly #records: Collection<ModelTally>;
  #last: Promise<unknown> = Promise.resolve();

  constructor(records: Collection<ModelTally>) {
    this.#records = records;
  }

  async add(run: FinishedRun): Promise<ModelTally> {
    const added = this.#last.then(() => this.#add(run));
    this.#last = added.catch(() => undefined);
    return added;
  }

  /** Resolves when all runs that have ended are counted. */
  async settled(): Promise<void> {
    await this.#last;
  }

  async #add({ model, usage }: FinishedRun): Promise<ModelTally> {
    const known = await this.#records.get(model);
    const tally = {
      id: model,
      runs: (known?.runs ?? 0) + 1,
      tokens: (known?.tokens ?? 0) + usage.promptTokens + usage.completionTokens,
    };
    await this.#records.put(tally);
    return tally;
  }
}
