import { setTimeout as sleep } from "node:timers/promises";
import { ToolError } from "@pergola/sdk";
import { withDeadline, type CompleteManifest, type Isolation, type PluginStrike } from "@pergola/sdk/host";
import type { DoorRequest } from "./door-methods.ts";
import { RunningProcess } from "./running-process.ts";
import { startIsolated } from "./start-isolated.ts";

export type IsolationOptions = Parameters<Isolation>[1];

interface Listeners {
  readonly door: (request: DoorRequest) => Promise<unknown>;
  /** What the plugin says it brings, at each start. Throws when that is not what it brought before. */
  readonly described: (description: unknown) => void;
}

/**
 * Milliseconds until an idle process ends, until a crash is forgiven, and that the next start waits at most.
 */
const limits = { idle: 300_000, forgive: 600_000, delay: 3_200 };

/**
 * The process of one plugin: started when it is needed, ended when it is idle, restarted after a crash, ever
 * later, as long as the host does not stop it.
 */
export class IsolatedProcess {
  readonly #found: CompleteManifest;
  readonly #listeners: Listeners;
  readonly #options: IsolationOptions;
  #running: Promise<RunningProcess> | undefined;
  /** The one that has started. */
  #current: RunningProcess | undefined;
  #busy = 0;
  #idle: NodeJS.Timeout | undefined;
  #stopped = false;
  #crashes = 0;
  #crashedAt = -Infinity;

  constructor(found: CompleteManifest, listeners: Listeners, options: IsolationOptions) {
    this.#found = found;
    this.#listeners = listeners;
    this.#options = options;
  }

  /** Works with the process, which is started if there is none. */
  async use<T>(work: (running: RunningProcess) => Promise<T>): Promise<T> {
    clearTimeout(this.#idle);
    this.#busy += 1;
    try {
      this.#running ??= this.#start();
      return await work(await this.#running);
    } finally {
      this.#busy -= 1;
      if (this.#busy === 0) this.#idle = setTimeout(() => void this.rest(), limits.idle).unref();
    }
  }

  /** Ends the process; the next use starts another. */
  async rest(): Promise<void> {
    clearTimeout(this.#idle);
    const running = this.#running;
    this.#running = undefined;
    const found = await running?.catch(() => undefined);
    await found?.end();
  }

  /** For good. */
  stop(): Promise<void> {
    this.#stopped = true;
    return this.rest();
  }

  get #delay(): number {
    return Math.min(limits.delay, 50 * 2 ** this.#crashes);
  }

  async #start(): Promise<RunningProcess> {
    const { id } = this.#found;
    const { verify, log } = this.#options;
    try {
      if (this.#crashes > 0) await sleep(Math.max(0, this.#crashedAt + this.#delay - performance.now()));
      if (this.#stopped) throw new ToolError("unavailable", `The plugin ${id} is left out or stopped.`);
      await verify();
      const started = await startIsolated(this.#found, this.#options);
      const running = new RunningProcess(started, {
        id,
        log,
        door: this.#listeners.door,
        struck: (strike, reason) => this.#struck(strike, reason),
        ended: () => this.#forget(running),
      });
      await this.#load(running, started.entry);
      this.#current = running;
      return running;
    } catch (error) {
      this.#running = undefined;
      throw error;
    }
  }

  async #load(running: RunningProcess, entry: string): Promise<void> {
    const { deadline, isToolFile } = this.#options;
    const late = (): ToolError =>
      running.kill("deadline", new ToolError("timeout", `it took longer than ${deadline / 1000} s`));
    try {
      const ask = (): Promise<unknown> => running.channel.ask("load", entry, isToolFile);
      const loaded = running.during(0, "load", () => withDeadline(ask(), deadline * 0.9, late));
      this.#listeners.described(await loaded);
    } catch (error) {
      await running.end();
      throw error;
    }
  }

  #forget(running: RunningProcess): void {
    if (this.#current !== running) return;
    this.#current = undefined;
    this.#running = undefined;
  }

  #struck(strike: PluginStrike, reason: Error): void {
    const { log } = this.#options;
    this.#crashes = performance.now() - this.#crashedAt > limits.forgive ? 1 : this.#crashes + 1;
    this.#crashedAt = performance.now();
    log.warn({ crashes: this.#crashes, kind: strike.kind, call: strike.call }, reason.message);
    this.#options.strike(strike);
  }
}
