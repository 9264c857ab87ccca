import { once } from "node:events";
import type { Server } from "node:http";
import net, { type AddressInfo } from "node:net";
import type { AppError, Log } from "@pergola/sdk";
import { fault } from "../fault.ts";
import type { Connections } from "./connections.ts";
import type { ListeningPlan } from "./listening-plan.ts";
import { backlog, type Limits } from "./options.ts";
import { refusePlain } from "./refuse-bytes.ts";
import { TlsListener } from "./tls-listener.ts";

export interface Place {
  readonly host: string;
  readonly port: number;
}

/** The ports that a service listens on, which matters where 0 was asked for. */
export interface BoundPorts {
  readonly plain: number;
  readonly tls: number | undefined;
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
  await once(server.listen({ ...at, backlog }), "listening");
  return server.address() as AddressInfo;
}

/** Closing what does not listen is no fault. */
const close = (server: net.Server): Promise<unknown> => new Promise((resolve) => server.close(resolve));

const taken = ({ host, port }: Place, cause: unknown, setting: string): AppError => {
  const reason = reasonOf(cause as NodeJS.ErrnoException);
  const message = `Port ${port} on ${host} ${reason}. Choose another one with ${setting}.`;
  return fault("conflict", message, { cause });
};

interface Surroundings {
  readonly log: Log;
  readonly limits: Limits;
  readonly connections: Connections;
}

/**
 * Where a server listens: on the first address and, if that is a loopback address, on the other one too; then
 * wherever else it is asked to.
 */
export class Listeners {
  readonly #server: Server;
  readonly #surroundings: Surroundings;
  /** Each hands its connections to the server. */
  readonly #companion: net.Server;
  readonly #others: (net.Server | TlsListener)[] = [];
  #names: ReadonlySet<string> = new Set();

  constructor(server: Server, surroundings: Surroundings) {
    this.#server = server;
    this.#surroundings = surroundings;
    this.#companion = this.#makeRelay();
  }

  /** The loopback names that lead here and to no other program. */
  get names(): ReadonlySet<string> {
    return this.#names;
  }

  /**
   * Rejects with AppError `conflict`, which says what to change, and with `invalid_value` for a certificate
   * that cannot be used; nothing listens then.
   */
  async listen({ plain: [first, ...more], tls }: ListeningPlan): Promise<BoundPorts> {
    const plain = await this.#listenFirst(first);
    try {
      for (const place of more) await this.#listenAlso({ ...place, port: plain });
      return { plain, tls: tls && (await this.#listenSecurely(tls)) };
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  async #listenFirst(at: Place): Promise<number> {
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
    const others = this.#others.splice(0);
    const closed = others.map((one) => (one instanceof TlsListener ? one.close() : close(one)));
    await Promise.all([close(this.#companion), close(this.#server), ...closed]);
  }

  #makeRelay(): net.Server {
    return net.createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
      this.#server.emit("connection", socket),
    );
  }

  async #listenAlso(at: Place): Promise<void> {
    const relay = this.#makeRelay();
    await bind(relay, at).catch((cause: unknown) => {
      throw taken(at, cause, "--port");
    });
    this.#others.push(relay);
  }

  async #listenSecurely({ host, port, cert, key }: NonNullable<ListeningPlan["tls"]>): Promise<number> {
    const { log, limits, connections } = this.#surroundings;
    const listener = new TlsListener({
      files: { cert, key },
      log,
      handshakeTimeout: limits.headersTimeout,
      arrived: (socket) => connections.add(socket),
      secured: (raw, encrypted) => {
        connections.release(raw);
        this.#server.emit("connection", encrypted);
      },
      plain: refusePlain,
    });
    const bound = await listener.listen({ host, port }).catch((cause: unknown) => {
      throw taken({ host, port }, cause, "server.tls.port");
    });
    this.#others.push(listener);
    return bound;
  }

  async #bindFirst(at: Place): Promise<Bound> {
    try {
      return await bind(this.#server, at);
    } catch (cause) {
      throw taken(at, cause, "--port");
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
    this.#surroundings.log.warn({ port }, message);
  }
}
