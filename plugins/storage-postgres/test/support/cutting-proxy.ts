import { once } from "node:events";
import { createServer, connect, type Server, type Socket } from "node:net";
import { rmSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** What happens to the next COMMIT: it never arrives, or its answer never does. */
export type Cut = "before" | "after";

/** Stands between a host and its server, and cuts the connection at a commit. */
export class CuttingProxy {
  readonly folder = mkdtempSync(path.join(tmpdir(), "pergola-proxy-"));
  readonly #target: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Commits that were cut off. */
  cuts = 0;
  next: Cut | undefined;
  /** Notifications of the server that were lost; undefined where none are to be. */
  lostNotices: number | undefined;
  #isFrozen = false;

  private constructor(target: string) {
    this.#target = target;
    this.#server = createServer((socket) => this.#serve(socket));
  }

  static async start(folder: string): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(path.join(folder, ".s.PGSQL.5432"));
    proxy.#server.listen(path.join(proxy.folder, ".s.PGSQL.5432"));
    await once(proxy.#server, "listening");
    return proxy;
  }

  #serve(socket: Socket): void {
    const server = connect(this.#target);
    for (const one of [socket, server]) {
      this.#sockets.add(one);
      if (this.#isFrozen) one.pause();
      one.on("error", () => undefined);
      one.once("close", () => [socket, server].forEach((either) => either.destroy()));
    }
    const withoutNotices = noticeFilter(() => (this.lostNotices = (this.lostNotices ?? 0) + 1));
    server.on("data", (bytes) =>
      socket.write(this.lostNotices === undefined ? bytes : withoutNotices(bytes)),
    );
    socket.on("data", (bytes) => {
      const cut = bytes.includes("COMMIT\0") ? this.next : undefined;
      if (cut === undefined) return void server.write(bytes);
      this.next = undefined;
      this.cuts += 1;
      if (cut === "before") return void socket.destroy();
      server.removeAllListeners("data");
      server.once("data", () => socket.destroy());
      server.write(bytes);
    });
  }

  /** Nothing passes any more, and nobody is told; what has come by then passes when it thaws. */
  freeze(isFrozen: boolean): void {
    this.#isFrozen = isFrozen;
    for (const socket of this.#sockets)
      if (isFrozen) socket.pause();
      else socket.resume();
  }

  /** Ends every connection. */
  async drop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  url(): string {
    return `postgres://pergola@/postgres?host=${encodeURIComponent(this.folder)}`;
  }

  async stop(): Promise<void> {
    await this.drop();
    this.#server.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/**
 * Leaves out NotificationResponse: a message of the protocol is a letter and its length, in which the letter
 * does not count (PostgreSQL manual, "Message Formats").
 */
function noticeFilter(lost: () => void): (bytes: Buffer) => Buffer {
  let waiting = Buffer.alloc(0);
  return (bytes) => {
    waiting = Buffer.concat([waiting, bytes]);
    const passed: Buffer[] = [];
    while (waiting.length >= 5 && waiting.length > waiting.readInt32BE(1)) {
      const message = waiting.subarray(0, 1 + waiting.readInt32BE(1));
      waiting = waiting.subarray(message.length);
      if (message[0] === "A".charCodeAt(0)) lost();
      else passed.push(message);
    }
    return Buffer.concat(passed);
  };
}
