import { setTimeout } from "node:timers/promises";

/** What became of a try: some items were taken, or another try may do, after so many seconds. */
export type Sent = { readonly taken: number } | { readonly again: true; readonly after?: number };

export interface OutboxOptions {
  /** Never rejects. */
  readonly send: (items: readonly string[]) => Promise<Sent>;
  readonly counted: (count: number, outcome: "sent" | "dropped") => void;
  /** 0 to 1. */
  readonly random: () => number;
}

/** Items in a batch, items and characters that wait at most; what comes beyond is dropped. */
const [batchSize, mostItems, mostCharacters] = [512, 2048, 16 * 1024 * 1024];
/** Milliseconds in which a batch gathers. */
const gathering = 1000;
/** Seconds before each further try of a batch; a receiver may ask for a longer wait, up to the last one. */
const waits: readonly number[] = [1, 2, 4, 8, 16, 32];

/** Sends batches in the background, one after the other, with bounded memory. */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #stopping = new AbortController();
  readonly #waiting: string[] = [];
  #characters = 0;
  #work: Promise<void> | undefined;
  #gathering = new AbortController();

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  add(item: string): void {
    const isFull = this.#waiting.length >= mostItems || this.#characters + item.length > mostCharacters;
    if (isFull || this.#stopping.signal.aborted) return this.#options.counted(1, "dropped");
    this.#waiting.push(item);
    this.#characters += item.length;
    if (this.#waiting.length >= batchSize) this.#gathering.abort();
    this.#work ??= this.#run().finally(() => (this.#work = undefined));
  }

  /** Tries once more to send what waits. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#gathering.abort();
    await this.#work;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gather();
      const batch = this.#waiting.splice(0, batchSize);
      for (const item of batch) this.#characters -= item.length;
      const taken = await this.#deliver(batch);
      if (taken > 0) this.#options.counted(taken, "sent");
      if (taken < batch.length) this.#options.counted(batch.length - taken, "dropped");
    }
  }

  async #gather(): Promise<void> {
    if (this.#waiting.length >= batchSize || this.#stopping.signal.aborted) return;
    this.#gathering = new AbortController();
    await setTimeout(gathering, undefined, { signal: this.#gathering.signal, ref: false }).catch(
      () => undefined,
    );
  }

  /** How many were taken. */
  async #deliver(batch: readonly string[]): Promise<number> {
    const { send, random } = this.#options;
    const { signal } = this.#stopping;
    for (const wait of [...waits, undefined]) {
      const sent = await send(batch);
      if ("taken" in sent) return sent.taken;
      if (wait === undefined || signal.aborted) break;
      const seconds = Math.min(Math.max(sent.after ?? 0, wait * (0.8 + 0.4 * random())), waits.at(-1) ?? 0);
      await setTimeout(seconds * 1000, undefined, { signal, ref: false }).catch(() => undefined);
    }
    return 0;
  }
}
