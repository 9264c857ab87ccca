import type { CallPiece } from "./service.ts";

/** A call of a tool that the model has asked for. */
export interface ModelCall {
  readonly id: string;
  readonly name: string;
  /** JSON, as the model wrote it. */
  readonly arguments: string;
}

/** Calls whose arguments arrive in pieces. */
export class CallsInPieces {
  readonly #calls = new Map<number, ModelCall>();

  add(pieces: readonly CallPiece[]): void {
    for (const { index, id = "", function: { name = "", arguments: text = "" } = {} } of pieces) {
      const begun = this.#calls.get(index);
      this.#calls.set(index, {
        id: begun?.id || id,
        name: begun?.name || name,
        arguments: (begun?.arguments ?? "") + text,
      });
    }
  }

  get calls(): readonly ModelCall[] {
    return [...this.#calls.values()];
  }
}
