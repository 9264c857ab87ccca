import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  ReadBuffer,
  serializeMessage,
  type JSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/client";
import type { McpServerStdio } from "@agentclientprotocol/sdk";

/** What a server sees of the environment of this process, which may hold keys. */
const harmless = ["HOME", "LANG", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "USER"];
const onWindows = ["APPDATA", "LOCALAPPDATA", "PATHEXT", "SYSTEMROOT", "TEMP", "USERPROFILE"];

function environmentOf({ env }: McpServerStdio): NodeJS.ProcessEnv {
  const own = Object.fromEntries(env.map(({ name, value }) => [name, value]));
  const inherited = [...harmless, ...onWindows].map((name) => [name, process.env[name]]);
  return { ...Object.fromEntries(inherited), ...own } as NodeJS.ProcessEnv;
}

/** Milliseconds that a server has to end by itself when its input ends. */
const patience = 2000;

/** A server that is started in a folder, its messages as lines; what it says on stderr goes to ours. */
export class StdioTransport implements Transport {
  /** By these two the package knows that a server may keep silent where it does not know a method. */
  readonly stderr = null;
  readonly pid = null;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #server: McpServerStdio;
  readonly #directory: string;
  readonly #read = new ReadBuffer();
  #child: ChildProcess | undefined;

  constructor(server: McpServerStdio, directory: string) {
    this.#server = server;
    this.#directory = directory;
  }

  async start(): Promise<void> {
    const { command, args } = this.#server;
    const env = environmentOf(this.#server);
    const child = spawn(command, args, {
      cwd: this.#directory,
      env,
      stdio: ["pipe", "pipe", "inherit"],
      windowsHide: true,
    });
    this.#child = child;
    const kill = (): void => void child.kill("SIGKILL");
    // A server that is still starting when this process ends.
    process.once("exit", kill);
    child.once("exit", () => process.off("exit", kill));
    child.stdout.on("data", (bytes: Buffer) => this.#take(bytes));
    child.stdin.on("error", (error) => this.onerror?.(error));
    child.once("close", () => this.onclose?.());
    await once(child, "spawn");
    child.on("error", (error) => this.onerror?.(error));
  }

  #take(bytes: Buffer): void {
    this.#read.append(bytes);
    for (;;)
      try {
        const message = this.#read.readMessage();
        if (message === null) return;
        this.onmessage?.(message);
      } catch (error) {
        this.onerror?.(error as Error);
      }
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const { stdin } = this.#child!;
    if (stdin?.write(serializeMessage(message)) === false) await once(stdin, "drain");
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.stdin?.end();
    const timer = setTimeout(() => child.kill("SIGKILL"), patience);
    await ended;
    clearTimeout(timer);
  }
}
