import { KeyedQueue, messageOf, type Log } from "@pergola/sdk";
import type { ModelFacts } from "./messages.ts";
import type { InstalledModel } from "./model-folder.ts";
import { RuntimeProcess } from "./runtime-process.ts";

/** Milliseconds that one file's header may take. */
const timeout = 20_000;

/** The facts of a file, or the reason why it cannot be used. */
type FileFacts = ModelFacts | string;

/**
 * What model files say of themselves, read once for each state of a file, by a process that such a file may
 * ruin.
 */
export class FactsReader {
  readonly #log: Log;
  readonly #known = new Map<string, FileFacts>();
  readonly #queue = new KeyedQueue();
  #runtime: RuntimeProcess | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** The facts of each model; a text that says why where a file cannot be used. */
  read(models: readonly InstalledModel[], signal: AbortSignal): Promise<readonly FileFacts[]> {
    return this.#queue.run("read", () => this.#readAll(models, signal));
  }

  /** Ends what is being read. */
  async close(): Promise<void> {
    await this.#runtime?.kill();
  }

  async #readAll(models: readonly InstalledModel[], signal: AbortSignal): Promise<readonly FileFacts[]> {
    const facts: FileFacts[] = [];
    try {
      for (const model of models) {
        const key = `${model.path}:${model.sizeBytes}:${model.changed}`;
        const known = this.#known.get(key);
        facts.push(known ?? (await this.#readOne(this.#reader(), model, signal)));
        this.#known.set(key, facts.at(-1)!);
      }
      return facts;
    } finally {
      await this.close();
    }
  }

  #reader(): RuntimeProcess {
    if (this.#runtime?.ended !== false)
      this.#runtime = new RuntimeProcess("the model files' reader", this.#log);
    return this.#runtime;
  }

  async #readOne(
    runtime: RuntimeProcess,
    { id, path }: InstalledModel,
    signal: AbortSignal,
  ): Promise<FileFacts> {
    const deadline = AbortSignal.timeout(timeout);
    try {
      return await runtime.ask("inspect", { path }, { signal: AbortSignal.any([signal, deadline]) });
    } catch (error) {
      signal.throwIfAborted();
      if (deadline.aborted) await runtime.kill();
      const reason = deadline.aborted ? "reading its header took too long" : messageOf(error);
      const message = `the model file ${id} cannot be used and is not listed: ${reason}`;
      this.#log.warn({ model: id, reason }, message);
      return reason;
    }
  }
}
