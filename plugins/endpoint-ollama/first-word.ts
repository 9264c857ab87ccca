import type { LiveRun, RunEvent } from "@pergola/sdk";

const words: ReadonlySet<RunEvent["type"]> = new Set([
  "text",
  "reasoning",
  "caller_call_begun",
  "caller_call",
]);

/** How long a model takes to begin its answer. */
export class FirstWord {
  readonly #begun = performance.now();
  /** Seconds until then; all the time so far while there is none. */
  #seconds: number | undefined;

  get seconds(): number {
    return this.#seconds ?? (performance.now() - this.#begun) / 1000;
  }

  note({ type }: RunEvent): void {
    if (words.has(type)) this.#seconds ??= this.seconds;
  }

  /** Notes it of a run that nobody else follows. */
  async watch(live: LiveRun): Promise<void> {
    for await (const { event } of live.events()) {
      this.note(event);
      if (this.#seconds !== undefined) return;
    }
  }
}
