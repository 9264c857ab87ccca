import type { Kind } from "./kinds.ts";

/** A record of which something was heard. */
export interface Touched {
  readonly kind: Kind;
  readonly id: string;
  readonly deleted: boolean;
}

/** Milliseconds within which the changes of one record are one. */
const burst = (kind: Kind): number => (kind === "download" ? 500 : 250);

/** The fewest milliseconds between two looks at what is due. */
const step = 10;

/** Gathers changes, and hands on those of each record as one when their time is over. */
export class Bursts {
  readonly #publish: (touched: readonly Touched[]) => Promise<void>;
  readonly #pending = new Map<string, Touched & { readonly due: number }>();
  #timer: NodeJS.Timeout | undefined;
  /** When it goes off, as `performance.now` gives it. */
  #next = Infinity;
  #publishing: Promise<void> = Promise.resolve();

  constructor(publish: (touched: readonly Touched[]) => Promise<void>) {
    this.#publish = publish;
  }

  add(touched: Touched): void {
    const key = `${touched.kind} ${touched.id}`;
    const due = this.#pending.get(key)?.due ?? performance.now() + burst(touched.kind);
    this.#pending.set(key, { ...touched, due });
    this.#wakeAt(due);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#next = Infinity;
    this.#pending.clear();
  }

  #wakeAt(due: number): void {
    if (due >= this.#next) return;
    clearTimeout(this.#timer);
    this.#next = due;
    this.#timer = setTimeout(() => this.#handOn(), Math.ceil(due - performance.now())).unref();
  }

  #handOn(): void {
    const now = performance.now();
    const due: Touched[] = [];
    let next = Infinity;
    for (const [key, touched] of this.#pending)
      if (touched.due > now) next = Math.min(next, touched.due);
      else if (this.#pending.delete(key)) due.push(touched);
    this.#next = Infinity;
    this.#wakeAt(Math.max(next, now + step));
    if (due.length === 0) return;
    this.#publishing = this.#publishing.then(() => this.#publish(due));
  }
}
