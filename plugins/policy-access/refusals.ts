import type { Clock } from "@pergola/sdk";
import type { AuditFact, Refusal } from "@pergola/sdk/host";

interface Folded {
  readonly fact: AuditFact;
  readonly until: number;
  more: number;
}

/** Places and codes that are counted one by one; what comes besides shares a line. */
const most = 1000;
const minute = 60_000;

/** Refusals for the audit: the first of a place and a code, and how many more came in its minute. */
export class Refusals {
  readonly #clock: Clock;
  readonly #note: (fact: AuditFact) => void;
  readonly #folded = new Map<string, Folded>();

  constructor(clock: Clock, note: (fact: AuditFact) => void) {
    this.#clock = clock;
    this.#note = note;
  }

  add({ place, address, caller, method, path, code, requestId }: Refusal): void {
    const isFull = this.#folded.size >= most;
    const key = isFull ? code : `${place} ${caller?.id ?? ""} ${code}`;
    const known = this.#folded.get(key);
    if (known !== undefined && known.until > this.#clock.now()) {
      known.more += 1;
      return;
    }
    if (known !== undefined) this.#end(key, known);
    const whose = caller === undefined ? {} : { caller };
    const target = `${method} ${path.slice(0, 200)}`;
    const fact = { action: "refused", target, outcome: code, address, ...whose };
    this.#folded.set(key, { fact, until: this.#clock.now() + minute, more: 0 });
    this.#note({ ...fact, requestId });
  }

  /** Writes down what has been counted in minutes that are over, or in all. */
  flush(all = false): void {
    for (const [key, folded] of this.#folded)
      if (all || folded.until <= this.#clock.now()) this.#end(key, folded);
  }

  #end(key: string, { fact, more }: Folded): void {
    this.#folded.delete(key);
    if (more > 0) this.#note({ ...fact, target: `${more} more within a minute` });
  }
}
