import { fork, type ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { PluginError, ToolError, type Log } from "@pergola/sdk";
import { withDeadline } from "../../hooks/with-deadline.ts";
import type { FoundPlugin } from "../discover.ts";
import { Channel, type Envelope } from "./channel.ts";

export interface IsolationOptions {
  readonly log: Log;
  /** Milliseconds in which it must be loaded. */
  readonly deadline: number;
  /** It crashed too often. */
  readonly broken: (fault: PluginError) => void;
}

type Handlers = ConstructorParameters<typeof Channel>[1];

/** What a plugin's process gets: milliseconds, bytes, crashes until it is left out. */
const limits = { idle: 300_000, forgive: 600_000, heapMegabytes: 256, memory: 640 * 2 ** 20, crashes: 5 };
const program = new URL(import.meta.url.endsWith(".ts") ? "./isolated.process.ts" : "./isolated.process.js", import.meta.url);
const inherited = ["PATH", "LANG", "LC_ALL", "TZ", "TMPDIR"];

/** The process of one plugin: started when it is needed, ended when it is idle, restarted after a crash, ever later and not for ever. */
export class IsolatedProcess {
  readonly #found: FoundPlugin;
  readonly #handlers: Handlers;
  readonly #options: IsolationOptions;
  #child: ChildProcess | undefined;
  #channel: Promise<Channel> | undefined;
  #idle: NodeJS.Timeout | undefined;
  #killedFor: ToolError | undefined;
  #stopped = false;
  #crashes = 0;
  #crashedAt = -Infinity;
  /** What the plugin says it brings; known after the first `open`. */
  description: unknown;

  constructor(found: FoundPlugin, handlers: Handlers, options: IsolationOptions) {
    this.#found = found;
    this.#handlers = handlers;
    this.#options = options;
  }

  /** A connection to the process, which is started if there is none. */
  open(): Promise<Channel> {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.#end(), limits.idle).unref();
    this.#channel ??= this.#start();
    return this.#channel;
  }

  /** Ends the process at once, as after a crash; what it was doing fails with the reason. */
  kill(reason: ToolError): void {
    this.#killedFor ??= reason;
    if (this.#child !== undefined) end(this.#child);
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
    end(child);
    await gone;
  }

  async #start(): Promise<Channel> {
    const { id, entry } = this.#found;
    if (this.#crashes >= limits.crashes)
      throw new ToolError("unavailable", `The plugin ${id} is left out: its process crashed ${this.#crashes} times.`);
    if (this.#crashes > 0) await sleep(Math.max(0, this.#crashedAt + 50 * 2 ** this.#crashes - performance.now()));
    if (this.#stopped) throw new ToolError("unavailable", `The plugin ${id} is stopped.`);
    const execArgv = [
      ...process.execArgv.filter((option) => !/^--(inspect|max-old|prof|cpu-prof|heap)/.test(option)),
      `--max-old-space-size=${limits.heapMegabytes}`,
    ];
    const env = Object.fromEntries(inherited.map((name) => [name, process.env[name]]));
    const child = fork(program, [String(limits.memory)], {
      execArgv,
      env,
      detached: true,
      serialization: "advanced",
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    const channel = new Channel((envelope) => child.send(envelope, () => undefined), this.#handlers);
    this.#child = child;
    this.#killedFor = undefined;
    child.on("message", (envelope) => void channel.receive(envelope as Envelope));
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (text: Buffer) => this.#options.log.debug({ output: text.toString().slice(0, 2000) }, `${id} writes`));
    child.once("error", (error) => this.#ended(child, channel, error.message));
    child.once("exit", (code, signal) => this.#ended(child, channel, signal ?? `exit code ${code}`));
    try {
      const late = (): Error => new Error(`it took longer than ${this.#options.deadline / 1000} s`);
      this.description = await withDeadline(channel.ask("load", entry), this.#options.deadline * 0.9, late);
      return channel;
    } catch (error) {
      await this.#end();
      throw error;
    }
  }

  #ended(child: ChildProcess, channel: Channel, how: string): void {
    const { id } = this.#found;
    const reason =
      this.#killedFor ??
      new ToolError("generic_error", `The plugin ${id} ended while it worked: ${how}.`, {
        hint: "Try it once more at most; other tools still work.",
      });
    channel.close(reason);
    if (this.#child !== child) return;
    this.#child = undefined;
    this.#channel = undefined;
    this.#crashes = performance.now() - this.#crashedAt > limits.forgive ? 1 : this.#crashes + 1;
    this.#crashedAt = performance.now();
    this.#options.log.warn({ crashes: this.#crashes, how }, reason.message);
    if (this.#crashes < limits.crashes) return;
    this.#options.broken(
      new PluginError(id, "call", `its process crashed ${this.#crashes} times; the last time: ${reason.message}`, {
        remedy: "Update it or name it under disabled, then restart.",
      }),
    );
  }
}

/** With all that it started. */
function end({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    return;
  }
}
