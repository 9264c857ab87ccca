import type { AppError, Log } from "@pergola/sdk";
import { fault } from "../fault.ts";

const mostLines = 1000;

/** Refuses web pages. Browsers hide the answer from them, so the log says what to do, once an origin. */
export class RefusedOrigins {
  readonly #log: Log;
  readonly #logged = new Set<string>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** `origin` is empty where the browser sends none. */
  refuse(origin: string): AppError {
    const pages = origin === "" ? "Pages of other sites" : `Pages of ${origin}`;
    const advice = origin === "" ? "add their origin" : "add it";
    const message = `${pages} may not use this service. To allow them, ${advice} to server.allowed_origins.`;
    this.#note(origin, message);
    return fault("forbidden_origin", message);
  }

  #note(origin: string, message: string): void {
    if (this.#logged.has(origin) || this.#logged.size === mostLines) return;
    this.#logged.add(origin);
    this.#log.warn({ origin }, message);
  }
}
