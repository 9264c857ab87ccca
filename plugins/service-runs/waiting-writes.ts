import type { Write } from "@pergola/sdk";

/** Milliseconds. */
const patience = 5;

/** Writes that wait a little for those that follow them. */
export class WaitingWrites {
  readonly #isOver: () => void;
  #writes: readonly Write[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** `isOver` is called when nothing has followed them in time. */
  constructor(isOver: () => void) {
    this.#isOver = isOver;
  }

  get isEmpty(): boolean {
    return this.#writes.length === 0;
  }

  add(writes: readonly Write[]): void {
    this.#writes = [...this.#writes, ...writes];
    this.#timer ??= setTimeout(this.#isOver, patience);
  }

  take(): readonly Write[] {
    const writes = this.#writes;
    this.#writes = [];
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return writes;
  }
}
