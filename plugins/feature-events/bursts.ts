import type { Kind } from "./kinds.ts";

/** A record of which something was heard. */
export interface Touched {
  readonly kind: Kind;
  readonly id: string;
  readonly deleted: boolean;
}

/** Milliseconds within which the changes of one record are one. */
const burst = (kind: Kind): number => (kind === "download" ? 500 : 250);

/** Milliseconds between two looks at what is due. */
const step = 50;

/** Gathers changes, and hands on those of each record as one when their time is over. */
export class Bursts {
  readonly #publish: (touched: readonly Touched[]) => Promise<void>;
  readonly #pending = new Map<string, Touched & { readonly due: number }>();
  #timer: NodeJS.Timeout | undefined;
  #publishing: Promise<void> = Promise.resolve();

  constructor(publish: (touched: readonly Touched[]) => Promise<void>) {
    this.#publish = publish;
  }

  add(touched: Touched): void {
    const key = `${touched.kind} ${touched.id}`;
    const due = this.#pending.get(key)?.due ?? performance.now() + burst(touched.kind);
    this.#pending.set(key, { ...touched, due });
    this.#timer ??= setInterval(() => this.#handOn(), step).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#pending.clear();
  }

  #handOn(): void {
    const now = performance.now();
    const due = [...this.#pending].filter(([, touched]) => touched.due <= now);
    for (const [key] of due) this.#pending.delete(key);
    if (this.#pending.size === 0) this.stop();
    if (due.length === 0) return;
    this.#publishing = this.#publishing.then(() => this.#publish(due.map(([, touched]) => touched)));
  }
}
