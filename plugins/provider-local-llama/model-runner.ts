import { EventEmitter, on } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { AppError, type Log, type ModelEvent, type ProviderSettings } from "@pergola/sdk";
import { untilAborted } from "@pergola/kit-provider";
import type { ChatTurn, Loaded, LoadOptions } from "./messages.ts";
import type { InstalledModel } from "./model-folder.ts";
import { RuntimeProcess } from "./runtime-process.ts";

export interface RunnerOptions {
  /** Default: five minutes. */
  readonly idle?: number | undefined;
  readonly timeouts: Pick<ProviderSettings, "timeoutSeconds" | "idleTimeoutSeconds">;
  readonly log: Log;
  /** Unloads what may be unloaded before this model is loaded. */
  makeRoom(): Promise<void>;
}

/** Milliseconds that loading may take at most, and after which a model that nobody asks is unloaded. */
const [loading, usualIdle] = [600_000, 300_000];

/** What is known of a model in memory. */
export interface ModelInMemory {
  readonly contextSize?: number;
  readonly gpuBytes?: number;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/**
 * One model: its process is started and loaded by the first call, ended when it is idle, and started again
 * after a crash.
 */
export class ModelRunner {
  readonly #model: InstalledModel;
  readonly #load: LoadOptions;
  readonly #options: RunnerOptions;
  #runtime: RuntimeProcess | undefined;
  #loaded: Promise<RuntimeProcess> | undefined;
  #calls = 0;
  #timer: NodeJS.Timeout | undefined;
  #retired = false;
  #size: Loaded | undefined;
  #lastUse = Date.now();

  constructor(model: InstalledModel, load: LoadOptions, options: RunnerOptions) {
    this.#model = model;
    this.#load = load;
    this.#options = options;
  }

  get busy(): boolean {
    return this.#calls > 0;
  }

  /** Whether its process runs, or is about to. */
  get isLoaded(): boolean {
    return this.#loaded !== undefined && this.#runtime?.ended !== true;
  }

  /** While it is in use, it expires as if it had just been used. */
  get inMemory(): ModelInMemory {
    const lastUse = this.busy ? Date.now() : this.#lastUse;
    return { ...this.#size, expiresAt: lastUse + (this.#options.idle ?? usualIdle) };
  }

  /** Whether it runs this state of the file in this way, with at least this context. */
  fits({ sizeBytes, changed }: InstalledModel, load: LoadOptions): boolean {
    const same = sizeBytes === this.#model.sizeBytes && changed === this.#model.changed;
    const { contextSize } = this.#load;
    const isEnough = load.contextSize <= contextSize;
    return same && isEnough && JSON.stringify({ ...load, contextSize }) === JSON.stringify(this.#load);
  }

  /**
   * The model's answer. Rejects with `provider_timeout` and ends the process when it says nothing for too
   * long.
   */
  async *stream(turn: ChatTurn, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const own = new AbortController();
    const leave = (): void => own.abort(signal.reason);
    signal.addEventListener("abort", leave, { once: true });
    const emitter = new EventEmitter();
    const events = on(emitter, "event");
    this.#begin();
    try {
      const onEvent = (event: ModelEvent): void => void emitter.emit("event", event);
      const loaded = this.#open(own.signal);
      loaded
        .then((runtime) => runtime.ask("chat", turn, { signal: own.signal, onEvent }))
        .then(
          () => events.return?.(),
          (error: Error) => events.throw?.(error),
        );
      let seconds = this.#options.timeouts.timeoutSeconds;
      for (;;) {
        const step = await this.#within(seconds, events.next());
        signal.throwIfAborted();
        if (step.done) return;
        yield (step.value as [ModelEvent])[0];
        seconds = this.#options.timeouts.idleTimeoutSeconds;
      }
    } finally {
      signal.removeEventListener("abort", leave);
      own.abort();
      this.#finish();
    }
  }

  async embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    this.#begin();
    try {
      return await (await this.#open(signal)).ask("embed", { texts }, { signal });
    } finally {
      this.#finish();
    }
  }

  /** Ends the process; the next call starts another. */
  async unload(): Promise<void> {
    clearTimeout(this.#timer);
    const runtime = this.#runtime;
    this.#runtime = undefined;
    this.#loaded = undefined;
    await runtime?.kill();
  }

  /** Ends the process as soon as nobody asks it. */
  async retire(): Promise<void> {
    this.#retired = true;
    if (!this.busy) await this.unload();
  }

  /** The loaded process. Loading goes on for the others when one caller leaves. */
  #open(signal: AbortSignal): Promise<RuntimeProcess> {
    if (this.#runtime?.ended === true) this.#loaded = undefined;
    if (this.#loaded === undefined) {
      const loaded = this.#start();
      this.#loaded = loaded;
      loaded.catch(() => {
        if (this.#loaded === loaded) this.#loaded = undefined;
      });
    }
    return untilAborted(this.#loaded, signal);
  }

  async #start(): Promise<RuntimeProcess> {
    await this.#options.makeRoom();
    const runtime = new RuntimeProcess(`the model ${this.#model.id}`, this.#options.log);
    this.#runtime = runtime;
    try {
      this.#size = await runtime.ask("load", this.#load, { signal: AbortSignal.timeout(loading) });
      const { contextSize } = this.#size;
      this.#options.log.info({ model: this.#model.id, contextSize, pid: runtime.pid }, "model loaded");
      return runtime;
    } catch (error) {
      await runtime.kill();
      throw error;
    }
  }

  /** The work's result; unloads the model when it takes longer. */
  async #within<T>(seconds: number, work: Promise<T>): Promise<T> {
    const timer = new AbortController();
    const late = sleep(seconds * 1000, undefined, { signal: timer.signal }).then(() => {
      throw this.#timeout(seconds);
    });
    return Promise.race([work, late]).finally(() => timer.abort());
  }

  #timeout(seconds: number): AppError {
    void this.unload();
    const message =
      `The model ${this.#model.id} said nothing for ${seconds} s and was ended. ` +
      "The next request starts it again.";
    return new AppError({ code: "provider_timeout", message });
  }

  #begin(): void {
    clearTimeout(this.#timer);
    this.#calls += 1;
  }

  #finish(): void {
    this.#calls -= 1;
    if (this.busy) return;
    this.#lastUse = Date.now();
    if (this.#retired) return void this.unload();
    this.#timer = setTimeout(() => void this.unload(), this.#options.idle ?? usualIdle).unref();
  }
}
