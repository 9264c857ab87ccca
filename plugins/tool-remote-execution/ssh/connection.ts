import type { Client, ClientChannel, SFTPWrapper } from "ssh2";
import { connectionLost } from "./failures.ts";
import { settle, type Bounds, type Done } from "./settle.ts";
import type { Target } from "./target.ts";

/** Seconds that the other side has for an answer. */
export const answerSeconds = 15;

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
  async exec(line: string, bounds: Partial<Bounds> = {}): Promise<ClientChannel> {
    return this.settle((done) => this.#client.exec(line, done), bounds);
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
