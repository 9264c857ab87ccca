import { setTimeout } from "node:timers/promises";
import { ToolError, type Clock } from "@pergola/sdk";
import type { Link } from "./link.ts";

/**
 * Milliseconds to wait after the first failure in a row, doubled with each, and what a call waits at most.
 */
const [firstWait, longestWait, patience] = [500, 30_000, 1000];
/** Milliseconds that a link has to last in order not to count as a failure. */
const steady = 5000;

/**
 * A link that is opened when it is needed, and again after it was cut; a server that keeps failing is left in
 * peace for a while.
 */
export class Connection {
  readonly #open: (closed: () => void) => Promise<Link>;
  readonly #clock: Clock;
  #link: Promise<Link> | undefined;
  #failures = 0;
  #notBefore = 0;
  #isEnded = false;
  #isUp = false;
  #isTried = false;
  /** Is called when `state` has changed. */
  changed: () => void = () => undefined;
  /** What went wrong last; empty once it works. */
  fault = "";

  constructor(open: (closed: () => void) => Promise<Link>, clock: Clock) {
    this.#open = open;
    this.#clock = clock;
  }

  get state(): "open" | "connecting" | "closed" {
    if (this.#isTried) return "connecting";
    if (this.#link === undefined) return "closed";
    return this.#isUp ? "open" : "connecting";
  }

  /** The person wants it tried now, whatever has failed before. It counts as open once `tried` is called. */
  forgive(): void {
    this.#notBefore = 0;
    this.#isTried = true;
  }

  /** What the person wanted to know of it is known. */
  tried(): void {
    this.#isTried = false;
  }

  /** Throws ToolError `unavailable`, and `cancelled` when the signal comes first; others go on waiting. */
  async link(signal: AbortSignal): Promise<Link> {
    const leave = new AbortController();
    const left = new Promise<never>((_, reject) => {
      const abort = (): void => reject(new ToolError("cancelled", "The call was cancelled."));
      signal.addEventListener("abort", abort, { signal: leave.signal });
      if (signal.aborted) abort();
    });
    return Promise.race([(this.#link ??= this.#connect()), left]).finally(() => leave.abort());
  }

  /** Forgets a link that turned out to be dead. */
  async drop(link: Link): Promise<void> {
    if ((await this.#link?.catch(() => undefined)) === link) this.#forget();
    await link.close();
  }

  /** For good: a call that comes later starts no server that nobody would end. */
  async end(): Promise<void> {
    this.#isEnded = true;
    await this.close();
  }

  /** Until the next call. */
  async close(): Promise<void> {
    const link = await this.#link?.catch(() => undefined);
    this.#forget();
    await link?.close();
  }

  #forget(): void {
    this.#link = undefined;
    this.changed();
  }

  async #connect(): Promise<Link> {
    let opened: number | undefined;
    let isCut = false;
    this.#isUp = false;
    const closed = (): void => {
      isCut = true;
      if (opened === undefined) return;
      this.#forget();
      if (this.#clock.now() - opened < steady) this.#wait();
      else this.#failures = 0;
    };
    try {
      if (this.#isEnded) throw new ToolError("unavailable", "The service is stopping.");
      await this.#rest();
      const link = await this.#open(closed);
      if (this.#isEnded) await link.close();
      if (isCut || this.#isEnded) throw new Error(link.ending || "It has ended.");
      opened = this.#clock.now();
      this.fault = "";
      this.#isUp = true;
      this.changed();
      return link;
    } catch (error) {
      this.#forget();
      if (ToolError.is(error)) throw error;
      this.fault = (error as Error).message;
      this.#wait();
      throw this.#failure("Ask the person to look at its entry in mcp.servers.");
    }
  }

  #wait(): void {
    this.#notBefore = this.#clock.now() + Math.min(longestWait, firstWait * 2 ** this.#failures);
    this.#failures += 1;
  }

  /** After failures a call waits a little; it does not wait long. */
  async #rest(): Promise<void> {
    const wait = this.#notBefore - this.#clock.now();
    if (wait > patience) throw this.#failure(`It keeps failing. Try again in ${Math.ceil(wait / 1000)} s.`);
    if (wait > 0) await setTimeout(wait);
  }

  #failure(hint: string): ToolError {
    return new ToolError(
      "unavailable",
      `The MCP server cannot be used: ${this.fault || "it ends again and again."}`,
      { hint },
    );
  }
}
