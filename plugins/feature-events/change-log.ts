import { randomBytes } from "node:crypto";
import type { JsonObject } from "@pergola/sdk";
import type { Kind } from "./kinds.ts";

/** A record that was stored or deleted. */
export interface RecordChange {
  readonly kind: Kind;
  readonly op: "put" | "delete";
  readonly id: string;
  readonly conversationId: string | null;
  /** null on delete, and for preferences. */
  readonly record: JsonObject | null;
}

export interface NumberedChange {
  readonly number: number;
  readonly change: RecordChange;
}

const mostKept = 1000;

/** The last changes of this start, numbered from 1 without gaps. */
export class ChangeLog {
  readonly startId = randomBytes(8).toString("hex");
  readonly #kept: NumberedChange[] = [];
  readonly #waiting = new Set<() => void>();
  #last = 0;

  get last(): number {
    return this.#last;
  }

  add(change: RecordChange): void {
    this.#kept.push({ number: ++this.#last, change });
    if (this.#kept.length > mostKept) this.#kept.shift();
    this.wake();
  }

  /** What came after a number; undefined where that is not all there any more. */
  after(number: number): readonly NumberedChange[] | undefined {
    const missing = this.#last - number;
    if (missing > this.#kept.length) return undefined;
    return this.#kept.slice(this.#kept.length - missing);
  }

  idOf(number: number): string {
    return `${this.startId}-${number}`;
  }

  /** The number in an id; undefined for one of another start. */
  numberIn(id: string): number | undefined {
    const [, startId, digits] = /^(\w+)-(\d{1,15})$/.exec(id) ?? [];
    const number = Number(digits);
    return startId === this.startId && number <= this.#last ? number : undefined;
  }

  /** The conversation of a record, as far as its last change tells. */
  conversationOf({ kind, id }: Pick<RecordChange, "kind" | "id">): string | null {
    const known = this.#kept.findLast(({ change }) => change.kind === kind && change.id === id);
    return known?.change.conversationId ?? null;
  }

  /** Resolves at the next change, when the signal aborts, and when all are woken. */
  next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake);
        signal.removeEventListener("abort", wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal.addEventListener("abort", wake);
      if (signal.aborted) wake();
    });
  }

  wake(): void {
    for (const wake of this.#waiting) wake();
  }
}
