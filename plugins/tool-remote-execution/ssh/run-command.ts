import type { ClientChannel } from "ssh2";
import { BoundedOutput } from "./bounded-output.ts";
import { answerSeconds, type Connection, type Exit, type RemoteCommand } from "./connection.ts";

/** What ended a command: itself, or what made us stop waiting. */
export type CommandEnding = "exit" | "timeout" | "cancelled" | "flood" | "lost";

export interface CommandEnd {
  readonly ending: CommandEnding;
  /** null when a signal ended it, and when it did not end by itself. */
  readonly exitCode: number | null;
  /** As in `SIGKILL`. */
  readonly killedBy: string | undefined;
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
}

export interface CommandLimits {
  readonly seconds: number;
  /** Bytes kept of each of stdout and stderr. */
  readonly outputBytes: number;
  readonly signal?: AbortSignal | undefined;
  /** Called with output as it comes. */
  readonly onOutput?: ((piece: Buffer) => void) | undefined;
}

/** A command that writes more than this is ended. */
const floodBytes = 64 << 20;
/**
 * Milliseconds without output after which an ended command is done: what it left in the background may hold
 * the channel open.
 */
const silenceAfterExit = 1000;

/**
 * Runs a command line, and resolves when it has ended or may not go on. It never rejects once the server has
 * said that the command runs. What did not `exit` is killed as far as the server honours signals (RFC 4254,
 * 6.9).
 */
export async function runCommand(
  connection: Connection,
  line: string,
  limits: CommandLimits,
): Promise<CommandEnd> {
  const running = await connection.exec(line, {
    signal: limits.signal,
    seconds: Math.min(answerSeconds, limits.seconds),
  });
  const stdout = new BoundedOutput(limits.outputBytes);
  const stderr = new BoundedOutput(limits.outputBytes);
  const { channel } = running;
  const flood = new AbortController();
  const take = (output: BoundedOutput) => (piece: Buffer) => {
    output.push(piece);
    limits.onOutput?.(piece);
    if (stdout.total + stderr.total > floodBytes) flood.abort();
  };
  channel.on("data", take(stdout));
  channel.stderr.on("data", take(stderr));
  const end = await endOf(running, connection, limits, flood.signal);
  release(channel, end.ending);
  const truncated = stdout.truncated || stderr.truncated;
  return {
    ...end,
    stdout: stdout.text,
    stderr: stderr.text,
    truncated,
  };
}

async function endOf(
  { channel, exited, closed }: RemoteCommand,
  connection: Connection,
  { seconds, signal }: CommandLimits,
  flood: AbortSignal,
) {
  const watch = new AbortController();
  const once = { once: true, signal: watch.signal };
  let exit: Exit | undefined;
  const ending = await new Promise<CommandEnding>((resolve) => {
    const resolveUnlessExited = (ending: CommandEnding): void =>
      resolve(exit === undefined ? ending : "exit");
    const onClose = (): void => resolveUnlessExited("lost");
    const timer = setTimeout(() => resolveUnlessExited("timeout"), seconds * 1000);
    watch.signal.addEventListener("abort", () => clearTimeout(timer));
    flood.addEventListener("abort", () => resolve("flood"), once);
    signal?.addEventListener("abort", () => resolve("cancelled"), once);
    if (signal?.aborted === true) resolve("cancelled");
    void exited.then((how) => {
      exit = how;
      const silence = setTimeout(onClose, silenceAfterExit).unref();
      for (const output of [channel, channel.stderr]) output.on("data", () => void silence.refresh());
    });
    void closed.then(onClose);
    connection.ended.catch(onClose);
  });
  watch.abort();
  return { ending, exitCode: exit?.code ?? null, killedBy: exit?.signal };
}

function release(channel: ClientChannel, ending: CommandEnding): void {
  channel.removeAllListeners("data").resume();
  channel.stderr.removeAllListeners("data").resume();
  try {
    if (ending !== "exit") channel.signal("KILL");
    channel.close();
  } catch {
    // The connection is gone.
  }
}
