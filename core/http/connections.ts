import { EventEmitter, once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * The open connections. When there are too many, the one goes that has waited longest for the header of a
 * request to be whole, so that clients who never finish one keep nobody else out.
 */
export class Connections {
  readonly #limit: number;
  /** Those without a request to answer, the longest waiting first. */
  readonly #waiting = new Set<Socket>();
  /** How many requests of a connection are not answered yet. */
  readonly #answering = new Map<Socket, number>();
  readonly #events = new EventEmitter();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get count(): number {
    return this.#waiting.size + this.#answering.size;
  }

  /** Whether a request is not answered yet. */
  get isAnswering(): boolean {
    return this.#answering.size > 0;
  }

  add(socket: Socket): void {
    this.#waiting.add(socket);
    socket.once("close", () => this.#remove(socket));
    const [oldest] = this.#waiting;
    if (this.count > this.#limit && oldest !== undefined) this.#drop(oldest);
  }

  /** Counts a connection no more: another one goes on in its place. */
  release(socket: Socket): void {
    this.#remove(socket);
  }

  /** Notes that a request has come over a connection of these. */
  begin(socket: Socket, response: ServerResponse): void {
    if (!this.#waiting.delete(socket) && !this.#answering.has(socket)) return;
    this.#answering.set(socket, (this.#answering.get(socket) ?? 0) + 1);
    response.once("close", () => this.#end(socket));
  }

  /** Resolves with true once every request is answered, or with false after so many milliseconds. */
  async settled(grace: number): Promise<boolean> {
    if (this.#answering.size > 0)
      await once(this.#events, "settled", { signal: AbortSignal.timeout(grace) }).catch(() => undefined);
    return this.#answering.size === 0;
  }

  /** Closes the connections over which nothing is to be answered. */
  closeWaiting(): void {
    for (const socket of this.#waiting) this.#drop(socket);
  }

  closeAll(): void {
    this.closeWaiting();
    for (const socket of this.#answering.keys()) socket.destroy();
  }

  #drop(socket: Socket): void {
    this.#waiting.delete(socket);
    socket.destroy();
  }

  #end(socket: Socket): void {
    const left = this.#answering.get(socket);
    if (left === undefined) return;
    if (left > 1) return void this.#answering.set(socket, left - 1);
    this.#waiting.add(socket);
    this.#stopAnswering(socket);
  }

  #remove(socket: Socket): void {
    this.#waiting.delete(socket);
    this.#stopAnswering(socket);
  }

  #stopAnswering(socket: Socket): void {
    if (this.#answering.delete(socket) && this.#answering.size === 0) this.#events.emit("settled");
  }
}
