import type { ServerResponse } from "node:http";

/** Smaller ones do not count. */
const large = 256 * 1024;

/**
 * Bounds what answers hold that their clients do not take: over the limit, in bytes, the connections that
 * have waited longest are closed. One alone may hold any amount; it is closed when it stalls.
 */
export class Unsent {
  readonly #limit: number;
  readonly #waiting = new Set<ServerResponse>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** To be called when something was written that the client has not taken. */
  add(response: ServerResponse): void {
    if (response.writableLength < large || response.destroyed) return;
    if (!this.#waiting.has(response)) {
      this.#waiting.add(response);
      response.once("close", () => this.#waiting.delete(response));
    }
    this.#cutOff(response);
  }

  #cutOff(newest: ServerResponse): void {
    let bytes = [...this.#waiting].reduce((sum, { writableLength }) => sum + writableLength, 0);
    for (const response of this.#waiting) {
      if (bytes <= this.#limit || response === newest) return;
      bytes -= response.writableLength;
      response.destroy();
    }
  }
}
