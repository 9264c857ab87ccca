import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";
import type { Duplex } from "node:stream";
import { ToolError, type Log } from "@pergola/sdk";
import type { PluginStrike } from "@pergola/sdk/host";
import type { Channel } from "./channel.ts";
import type { DoorRequest } from "./door-methods.ts";
import { processLimits } from "./limits.ts";
import { LineBudget } from "./line-budget.ts";
import { ProcessLink } from "./process-link.ts";
import { readOutput } from "./read-output.ts";
import { endProcess, type StartedProcess } from "./start-isolated.ts";
import { watchScratch } from "./watch-scratch.ts";

interface RunningOptions {
  readonly id: string;
  readonly log: Log;
  readonly door: (request: DoorRequest) => Promise<unknown>;
  /** It did something wrong and is ended, or has ended by itself. */
  readonly struck: (strike: PluginStrike, reason: Error) => void;
  /** It is gone, one way or another. */
  readonly ended: () => void;
}

/** Milliseconds between the end of the stream and that of the process. */
const lastMoment = 200;
const retry = "Try it once more at most; other tools still work.";

/** One process of a plugin, from its start to its end. */
export class RunningProcess {
  readonly #options: RunningOptions;
  readonly #child: ChildProcess;
  readonly #link: ProcessLink;
  readonly #budget = new LineBudget(processLimits.linesPerSecond);
  readonly #stderr: () => string;
  readonly #calls = new Set<string>();
  readonly #gone: Promise<void>;
  /** Why it is being ended; undefined while nobody has wanted that. */
  #reason: Error | undefined;

  constructor({ child, release }: StartedProcess, options: RunningOptions) {
    const { id, log } = options;
    const stream = child.stdio[3] as Duplex;
    this.#options = options;
    this.#child = child;
    this.#stderr = readOutput(child, this.#budget, (output) => log.info({ output }, `${id} writes`));
    this.#link = new ProcessLink(stream, {
      door: (request) => this.#door(request),
      fault: (kind, reason) => {
        const text = `The plugin ${id} sent ${reason}; its process was ended.`;
        this.kill(kind, new ToolError("generic_error", text, { hint: retry }));
      },
    });
    watchScratch(child, processLimits.scratchFiles, () => {
      const { scratchFiles } = processLimits;
      const text = `The plugin ${id} made more than ${scratchFiles} files; its process was ended.`;
      this.kill("limit", new ToolError("generic_error", text, { hint: retry }));
    });
    // What ends by itself closes the stream too, a moment before its exit code is known.
    stream.once("close", () => setTimeout(() => endProcess(child), lastMoment).unref());
    const ended = (how: string): void => this.#ended(how);
    child.once("error", (error) => ended(error.message));
    child.once("exit", (code, signal) => ended(signal ?? exitOf(code)));
    this.#gone = new Promise<void>((resolve) => {
      child.once("error", () => resolve()).once("exit", () => resolve());
    }).then(() => release());
  }

  get channel(): Channel {
    return this.#link.channel;
  }

  /** Does something that the plugin is asked for; `name` stands in the evidence when it goes wrong. */
  async during<T>(call: number, name: string, work: () => Promise<T>): Promise<T> {
    this.#calls.add(name);
    try {
      return await work();
    } finally {
      this.#calls.delete(name);
      this.#link.endCall(call);
    }
  }

  /** Ends the process at once; what it was doing fails with the reason, which is given back. */
  kill<E extends Error>(kind: PluginStrike["kind"], reason: E, call = this.#doing): E {
    if (this.#reason !== undefined) return reason;
    this.#reason = reason;
    endProcess(this.#child);
    this.channel.close(reason);
    this.#options.ended();
    this.#options.struck({ kind, call, stderr: this.#stderr() }, reason);
    return reason;
  }

  /** Ends the process, which did nothing wrong. */
  async end(): Promise<void> {
    this.#reason ??= new ToolError("unavailable", `The plugin ${this.#options.id} was stopped.`);
    endProcess(this.#child);
    await this.#gone;
  }

  /** What it works on; the last that began, where it is several things. */
  get #doing(): string | null {
    return [...this.#calls].at(-1) ?? null;
  }

  /** Of what a plugin logs and reports, too much is dropped. */
  async #door(request: DoorRequest): Promise<unknown> {
    const isLine = request.part === "log" || request.method === "progress";
    if (isLine && !this.#budget.take()) return undefined;
    return this.#options.door(request);
  }

  #ended(how: string): void {
    const { id, struck, ended } = this.#options;
    if (this.#reason === undefined) {
      const text = `The plugin ${id} ended while it worked: ${how}.`;
      this.#reason = new ToolError("generic_error", text, { hint: retry });
      struck({ kind: "crash", call: this.#doing, stderr: this.#stderr() }, this.#reason);
    }
    this.channel.close(this.#reason);
    ended();
  }
}

/** The first name of a number counts: some have two. */
const signalNames = new Map(
  Object.entries(constants.signals)
    .map(([name, number]) => [number, name] as const)
    .toReversed(),
);

/** A process within walls is the child of another, which reports its signals as shells do. */
function exitOf(code: number | null): string {
  const signal = code === null || code <= 128 ? undefined : signalNames.get(code - 128);
  return signal ?? `exit code ${code}`;
}
