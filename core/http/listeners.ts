import { once } from "node:events";
import type { Server } from "node:http";
import net, { type AddressInfo } from "node:net";
import type { Log } from "@pergola/sdk";
import { fault } from "../fault.ts";

export interface Place {
  readonly host: string;
  readonly port: number;
}

interface Bound {
  readonly address: string;
  readonly port: number;
}

/** The other loopback address: whoever holds one alone shares the name localhost with a stranger. */
const companions: Readonly<Record<string, string>> = {
  "127.0.0.1": "::1",
  "0.0.0.0": "::1",
  "::ffff:127.0.0.1": "::1",
  "::1": "127.0.0.1",
};

const namesOf: Readonly<Record<string, readonly string[]>> = {
  "127.0.0.1": ["127.0.0.1"],
  "0.0.0.0": ["127.0.0.1"],
  "::ffff:127.0.0.1": ["127.0.0.1"],
  "::1": ["[::1]"],
  "::": ["127.0.0.1", "[::1]", "localhost"],
};

/** What the system answers where it lacks an address, so that nobody else can listen there either. */
const isMissing = ({ code = "" }: NodeJS.ErrnoException): boolean =>
  /^(EADDRNOTAVAIL|EAFNOSUPPORT|EPROTONOSUPPORT)$/.test(code);

/** An address in the form that an address bar takes. */
export const hostInUrl = (address: string): string => (net.isIPv6(address) ? `[${address}]` : address);

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === "EADDRINUSE") return "is taken by another program";
  return `cannot be opened (${code ?? message})`;
}

async function bind(server: net.Server, at: Place): Promise<Bound> {
  await once(server.listen(at), "listening");
  return server.address() as AddressInfo;
}

const close = (server: net.Server): Promise<unknown> => new Promise((resolve) => server.close(resolve));

/** Where a server listens: on the given address and, if that is a loopback address, on the other one too. */
export class Listeners {
  readonly #server: Server;
  readonly #log: Log;
  /** Hands its connections to the server. */
  readonly #companion: net.Server;
  #names: ReadonlySet<string> = new Set();

  constructor(server: Server, log: Log) {
    this.#server = server;
    this.#log = log;
    this.#companion = net.createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
      server.emit("connection", socket),
    );
  }

  /** The loopback names that lead here and to no other program. */
  get names(): ReadonlySet<string> {
    return this.#names;
  }

  /**
   * Resolves with the port, which matters when 0 is given. Rejects with AppError `conflict`, which says what
   * to change.
   */
  async listen(at: Place): Promise<number> {
    const attempts = at.port === 0 ? 10 : 1;
    for (let left = attempts; ; left--) {
      const bound = await this.#bindFirst(at);
      const failure = await this.#bindCompanion(bound);
      const isTaken = failure !== undefined && !isMissing(failure);
      if (isTaken && left > 1) {
        await close(this.#server);
        continue;
      }
      if (isTaken) this.#warn(bound);
      this.#names = this.#ownNames(bound.address, isTaken);
      return bound.port;
    }
  }

  /** Takes no more connections; resolves when all are closed. */
  async close(): Promise<void> {
    await Promise.all([close(this.#companion), close(this.#server)]);
  }

  async #bindFirst(at: Place): Promise<Bound> {
    try {
      return await bind(this.#server, at);
    } catch (cause) {
      const reason = reasonOf(cause as NodeJS.ErrnoException);
      const message = `Port ${at.port} on ${at.host} ${reason}. Choose another one with --port.`;
      throw fault("conflict", message, { cause });
    }
  }

  async #bindCompanion({ address, port }: Bound): Promise<NodeJS.ErrnoException | undefined> {
    const host = companions[address];
    if (host === undefined) return undefined;
    return bind(this.#companion, { host, port }).then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error,
    );
  }

  #ownNames(address: string, isTaken: boolean): ReadonlySet<string> {
    const names = [...(namesOf[address] ?? [])];
    const companion = companions[address];
    if (this.#companion.listening) names.push(...(namesOf[companion ?? ""] ?? []));
    if (companion !== undefined && !isTaken) names.push("localhost");
    return new Set(names);
  }

  #warn({ address, port }: Bound): void {
    const other = hostInUrl(companions[address] ?? "");
    const own = namesOf[address]?.[0] ?? "";
    const message =
      `Another program listens on ${other}:${port}, so http://localhost:${port} may lead to it. ` +
      `Use http://${own}:${port}, or choose another port with --port.`;
    this.#log.warn({ port }, message);
  }
}
