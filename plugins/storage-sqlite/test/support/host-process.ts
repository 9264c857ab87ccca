import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface, type Interface } from "node:readline";
import { builtPlugin } from "./built-plugin.ts";

export interface HostProcess {
  readonly pid: number;
  /** The next line it says; undefined when it has ended. */
  line(): Promise<string | undefined>;
  /** Sends a command and gives its answer. */
  ask(command: string): Promise<string | undefined>;
  tell(command: string): void;
  /** As `kill -9`; resolves with all lines it had said and nobody had read. */
  kill(): Promise<readonly string[]>;
  /** Lets it close its storage; resolves when it has ended. */
  stop(): Promise<void>;
}

export interface HostOptions {
  readonly durability?: string;
  /** A program and its arguments that start the host as their own last arguments. */
  readonly through?: readonly string[];
  /** Number of the user that runs it. */
  readonly uid?: number;
}

/** Starts a host of its own process on a data directory. Rejects when it cannot be started. */
export async function startHost(
  dataDirectory: string,
  { durability = "process", through = [], uid }: HostOptions = {},
): Promise<HostProcess> {
  const [program = "", ...args] = [
    ...through,
    process.execPath,
    path.join(await builtPlugin(), "host.js"),
    dataDirectory,
    durability,
  ];
  const child = spawn(program, args, {
    stdio: ["pipe", "pipe", "inherit"],
    ...(uid !== undefined && { uid }),
  });
  await once(child, "spawn");
  const lines: Interface = createInterface({ input: child.stdout });
  const said = lines[Symbol.asyncIterator]();
  const line = async (): Promise<string | undefined> => (await said.next()).value as string | undefined;
  const tell = (command: string): void => void child.stdin.write(`${command}\n`);
  return {
    pid: child.pid ?? 0,
    line,
    tell,
    ask(command) {
      tell(command);
      return line();
    },
    async kill() {
      child.kill("SIGKILL");
      const rest: string[] = [];
      for (let next = await line(); next !== undefined; next = await line()) rest.push(next);
      return rest;
    },
    async stop() {
      const ended = child.exitCode === null && child.signalCode === null ? once(child, "exit") : undefined;
      child.stdin.end();
      await ended;
    },
  };
}
