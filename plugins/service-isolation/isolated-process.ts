import type { ChildProcess } from "node:child_process";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { onOutput } from "@pergola/kit-worker";
import { PluginError, ToolError } from "@pergola/sdk";
import { withDeadline, type CompleteManifest, type Isolation } from "@pergola/sdk/host";
import { Channel, isEnvelope, type Handlers } from "./channel.ts";
import { frameOf, maxFrameBytes, readFrames } from "./frames.ts";
import { endProcess, maxMemoryBytes, startIsolated } from "./start-isolated.ts";
import { watchProcess } from "./watch-process.ts";

export type IsolationOptions = Parameters<Isolation>[1] & {
  /** What runs in the process; for tests of the built form. */
  readonly program?: URL;
};

/**
 * Milliseconds until an idle process ends and until a crash is forgiven; crashes until the plugin is left
 * out.
 */
const limits = { idle: 300_000, forgive: 600_000, crashes: 5 };
const retry = "Try it once more at most; other tools still work.";

/**
 * The process of one plugin: started when it is needed, ended when it is idle, restarted after a crash, ever
 * later and not for ever.
 */
export class IsolatedProcess {
  readonly #found: CompleteManifest;
  readonly #handlers: Handlers;
  readonly #options: IsolationOptions;
  #child: ChildProcess | undefined;
  #channel: Promise<Channel> | undefined;
  #busy = 0;
  #idle: NodeJS.Timeout | undefined;
  #killedFor: ToolError | undefined;
  #stopped = false;
  #crashes = 0;
  #crashedAt = -Infinity;
  /** What the plugin says it brings; known once the process was used. */
  description: unknown;

  constructor(found: CompleteManifest, handlers: Handlers, options: IsolationOptions) {
    this.#found = found;
    this.#handlers = handlers;
    this.#options = options;
  }

  /** Works with the process, which is started if there is none. */
  async use<T>(work: (channel: Channel) => Promise<T>): Promise<T> {
    clearTimeout(this.#idle);
    this.#busy += 1;
    try {
      this.#channel ??= this.#start();
      return await work(await this.#channel);
    } finally {
      this.#busy -= 1;
      if (this.#busy === 0) this.#idle = setTimeout(() => void this.#end(), limits.idle).unref();
    }
  }

  /** Ends the process at once, as after a crash; what it was doing fails with the reason. */
  kill(reason: ToolError): void {
    this.#killedFor ??= reason;
    if (this.#child !== undefined) endProcess(this.#child);
  }

  /** For good. */
  stop(): Promise<void> {
    this.#stopped = true;
    return this.#end();
  }

  async #end(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    this.#channel = undefined;
    clearTimeout(this.#idle);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    endProcess(child);
    await gone;
  }

  async #start(): Promise<Channel> {
    const { id, entry } = this.#found;
    if (this.#crashes > 0)
      await sleep(Math.max(0, this.#crashedAt + 50 * 2 ** this.#crashes - performance.now()));
    if (this.#stopped || this.#crashes >= limits.crashes)
      throw new ToolError("unavailable", `The plugin ${id} is left out or stopped.`);
    const child = startIsolated(entry, this.#options.program);
    const stream = child.stdio[3] as Duplex;
    const channel = new Channel((envelope) => stream.write(frameOf(envelope)), this.#handlers);
    this.#child = child;
    this.#killedFor = undefined;
    this.#listen(child, stream, channel);
    try {
      const late = (): Error => new Error(`it took longer than ${this.#options.deadline / 1000} s`);
      this.description = await withDeadline(channel.ask("load", entry), this.#options.deadline * 0.9, late);
      return channel;
    } catch (error) {
      await this.#end();
      throw error;
    }
  }

  #listen(child: ChildProcess, stream: Duplex, channel: Channel): void {
    const { id } = this.#found;
    onOutput(child, (output) => this.#options.log.info({ output }, `${id} writes`));
    const message = (envelope: unknown): void => {
      if (isEnvelope(envelope)) void channel.receive(envelope);
      else fault("something that is no message");
    };
    const fault = (reason: string): void => {
      const text = `The plugin ${id} sent ${reason}; its process was ended.`;
      this.#killedFor ??= new ToolError("generic_error", text, { hint: retry });
      endProcess(child);
    };
    readFrames(stream, { message, fault }, maxFrameBytes);
    stream.once("close", () => endProcess(child));
    watchProcess(child, maxMemoryBytes, () => endProcess(child));
    child.once("error", (error) => this.#ended(child, channel, error.message));
    child.once("exit", (code, signal) => this.#ended(child, channel, signal ?? `exit code ${code}`));
  }

  #ended(child: ChildProcess, channel: Channel, how: string): void {
    const { id } = this.#found;
    const reason =
      this.#killedFor ??
      new ToolError("generic_error", `The plugin ${id} ended while it worked: ${how}.`, { hint: retry });
    channel.close(reason);
    if (this.#child !== child) return;
    this.#child = undefined;
    this.#channel = undefined;
    this.#crashes = performance.now() - this.#crashedAt > limits.forgive ? 1 : this.#crashes + 1;
    this.#crashedAt = performance.now();
    this.#options.log.warn({ crashes: this.#crashes, how }, reason.message);
    if (this.#crashes < limits.crashes) return;
    const remedy = "Update it or name it under disabled, then restart.";
    this.#options.broken(
      new PluginError(
        id,
        "call",
        `its process crashed ${this.#crashes} times, the last time so: ${reason.message}`,
        { remedy },
      ),
    );
  }
}
