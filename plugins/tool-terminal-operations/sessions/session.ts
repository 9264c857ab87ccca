import { ToolError, type Clock } from "@pergola/sdk";
import { endProcess } from "../process/end-process.ts";
import type { Launch, LiveProcess } from "../process/live-process.ts";
import { killMarked, newMark } from "../process/mark.ts";
import { OutputLog, type OutputPiece } from "../text/output-log.ts";
import { PlainText } from "../text/plain-text.ts";

/** What a session is, whatever becomes of it. */
export interface SessionFacts {
  readonly id: string;
  readonly scope: string;
  readonly name: string;
  readonly folder: string;
  /** What runs in it; empty for a shell that waits for input. */
  readonly command: string;
}

interface Typed {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly input: string;
}

/** Starts what a session runs. */
export type Start = (launch: Pick<Launch, "folder" | "mark" | "onOutput">) => Promise<LiveProcess>;

/** Inputs that the history keeps, and characters of each. */
const mostInputs = 200;
const longestInput = 2000;
/** An input that ends with a control character is complete; after any other, Enter is pressed. */
// eslint-disable-next-line no-control-regex
const isComplete = /[\0-\x1f\x7f]$/;

/** A program that lives on between calls, with its output and what was typed. */
export class Session {
  readonly facts: SessionFacts;
  /** The exit code, once the program has ended; rejects as `started` does. */
  readonly ended: Promise<number>;
  readonly #clock: Clock;
  readonly #log = new OutputLog();
  readonly #text = new PlainText();
  readonly #mark = newMark();
  readonly #typed: Typed[] = [];
  readonly #process: Promise<LiveProcess>;
  #usedAt: number;
  #exitCode: number | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(facts: SessionFacts, clock: Clock, start: Start) {
    this.facts = facts;
    this.#clock = clock;
    this.#usedAt = clock.now();
    this.#process = start({
      folder: facts.folder,
      mark: this.#mark,
      onOutput: (piece) => this.#take(this.#text.write(piece)),
    });
    this.ended = this.#process.then(({ ended }) => ended);
    this.ended.then(
      (code) => this.#end(code),
      () => undefined,
    );
  }

  /**
   * Resolves once the program runs, with whether it has a terminal; rejects with ToolError when it could not
   * be started.
   */
  async started(): Promise<{ readonly hasTerminal: boolean }> {
    return this.#process;
  }

  /** Undefined while the program runs. */
  get exitCode(): number | undefined {
    return this.#exitCode;
  }

  get status(): "running" | "ended" {
    return this.#exitCode === undefined ? "running" : "ended";
  }

  get typed(): readonly Typed[] {
    return this.#typed;
  }

  /** Characters of output so far. */
  get length(): number {
    return this.#log.length;
  }

  /** Milliseconds since somebody used it or it wrote something. */
  get idle(): number {
    return this.#clock.now() - this.#usedAt;
  }

  use(): void {
    this.#usedAt = this.#clock.now();
  }

  read(from = 0): OutputPiece {
    return this.#log.read(from);
  }

  /** Throws ToolError `conflict` when the program has ended. */
  async type(input: string): Promise<void> {
    const process = await this.#process;
    if (this.#exitCode !== undefined) {
      throw new ToolError("conflict", `The session ended with exit code ${this.#exitCode}.`, {
        hint: "Create another session.",
      });
    }
    const enter = process.hasTerminal ? "\r" : "\n";
    const line = isComplete.test(input) ? input : `${input}\n`;
    process.write(line.replaceAll(/\r?\n/g, enter));
    this.#typed.push({ at: this.#clock.now(), input: input.slice(0, longestInput) });
    if (this.#typed.length > mostInputs) this.#typed.shift();
  }

  /**
   * Resolves when nothing was written for `quiet` milliseconds, the program has ended, `most` milliseconds
   * have passed or the call is cancelled.
   */
  settled(
    signal: AbortSignal,
    { quiet, most }: { readonly quiet: number; readonly most: number },
  ): Promise<void> {
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout;
      const done = (): void => {
        this.#listeners.delete(listen);
        [timer, limit].forEach((one) => clearTimeout(one));
        signal.removeEventListener("abort", done);
        resolve();
      };
      const limit = setTimeout(done, most);
      const listen = (): void => {
        clearTimeout(timer);
        timer = setTimeout(done, this.#exitCode === undefined && !signal.aborted ? quiet : 0);
      };
      signal.addEventListener("abort", done, { once: true });
      this.#listeners.add(listen);
      listen();
    });
  }

  /** Ends the program and all it started. Resolves when nobody is left. */
  async end(): Promise<void> {
    const process = await this.#process.catch(() => undefined);
    if (process !== undefined && this.#exitCode === undefined)
      this.#end(await endProcess(process, this.#mark));
    await killMarked(this.#mark);
  }

  #take(text: string): void {
    this.#log.append(text);
    this.use();
    for (const listen of this.#listeners) listen();
  }

  #end(code: number): void {
    if (this.#exitCode !== undefined) return;
    this.#exitCode = code;
    this.#take(this.#text.end());
  }
}
