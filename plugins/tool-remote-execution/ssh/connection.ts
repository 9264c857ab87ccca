import type { Client, ClientChannel, SFTPWrapper } from "ssh2";
import { connectionLost } from "./failures.ts";
import { settle, type Bounds, type Done } from "./settle.ts";
import type { Target } from "./target.ts";

/** Seconds that the other side has for an answer. */
export const answerSeconds = 15;

/** How a command ended; null and a name as in `SIGKILL` when a signal ended it. */
export interface Exit {
  readonly code: number | null;
  readonly signal: string | undefined;
}

/** A command that the server has begun. */
export interface RemoteCommand {
  readonly channel: ClientChannel;
  readonly exited: Promise<Exit>;
  readonly closed: Promise<void>;
}

/**
 * A server may say in one breath that a command runs and that it has ended: who waited for a promise before
 * listening would miss it.
 */
function watched(channel: ClientChannel): RemoteCommand {
  const exited = new Promise<Exit>((resolve) => {
    channel.once("exit", (code: number | null, signal?: string) => resolve({ code, signal }));
  });
  const closed = new Promise<void>((resolve) => void channel.once("close", () => resolve()));
  channel.on("error", () => undefined);
  return { channel, exited, closed };
}

/** A login on a machine, over a client that is ready. */
export class Connection {
  readonly target: Target;
  /** Rejects with `network_error` when the connection ends before it is closed here. */
  readonly ended: Promise<never>;
  readonly #client: Client;

  constructor(target: Target, client: Client) {
    this.target = target;
    this.#client = client;
    this.ended = new Promise((_, reject) => {
      const lost = (cause?: Error): void => reject(connectionLost(target, cause));
      client.on("error", lost).once("close", () => lost());
    });
    this.ended.catch(() => undefined);
  }

  /** Starts a command line by the account's own shell. Resolves when the server says that it runs. */
  async exec(line: string, bounds: Partial<Bounds> = {}): Promise<RemoteCommand> {
    return this.settle((done: Done<RemoteCommand>) => {
      this.#client.exec(line, (error, channel) => done(error, error ? undefined : watched(channel)));
    }, bounds);
  }

  async sftp(bounds: Partial<Bounds> = {}): Promise<SFTPWrapper> {
    return this.settle((done) => this.#client.sftp(done), bounds);
  }

  /** A callback's value, as long as the connection lives. */
  async settle<T>(start: (done: Done<T>) => void, bounds: Partial<Bounds> = {}): Promise<T> {
    return settle(start, { seconds: answerSeconds, ended: this.ended, ...bounds });
  }

  /** Says goodbye, and hangs up if the other side does not. */
  close(): void {
    this.#client.end();
    setTimeout(() => this.#client.destroy(), 300).unref();
  }

  /** Ends the connection at once. */
  hangUp(): void {
    this.#client.destroy();
  }
}
