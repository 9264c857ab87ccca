import type { RunEvent, Write } from "@pergola/sdk";
import type { StoredRun } from "@pergola/sdk/host";
import { eventsWrite } from "./event-store.ts";

/** The numbered events of one run: those that an earlier start has stored, and what happens from then on. */
export class EventLog {
  /** How many there were at the start. */
  readonly restored: number;
  readonly #events: RunEvent[];
  /** How many are stored; undefined when they are not to be. */
  #storedCount: number | undefined;
  /** Those who have read all events so far. */
  #waiting: (() => void)[] = [];

  constructor(restored: readonly RunEvent[], keep: boolean) {
    this.restored = restored.length;
    this.#events = [...restored];
    if (keep) this.#storedCount = restored.length;
  }

  get count(): number {
    return this.#events.length;
  }

  add(event: RunEvent): void {
    this.#events.push(event);
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }

  /** The writes that store what happened since the last ones, and the end that is about to be added. */
  writes(run: StoredRun, end?: RunEvent): readonly Write[] {
    const from = this.#storedCount;
    if (from === undefined) return [];
    const fresh = this.#events.slice(from);
    let endedAt: string | null = null;
    if (end !== undefined) {
      fresh.push(end);
      ({ endedAt } = run);
    }
    if (fresh.length === 0) return [];
    this.#storedCount = from + fresh.length;
    return [eventsWrite(run, from, fresh, endedAt)];
  }

  async *read(after: number): AsyncIterable<{ readonly number: number; readonly event: RunEvent }> {
    for (let number = after + 1; ; number++) {
      while (this.#events.length < number) await new Promise<void>((wake) => this.#waiting.push(wake));
      const event = this.#events[number - 1] as RunEvent;
      yield { number, event };
      if (event.type === "end") return;
    }
  }
}
