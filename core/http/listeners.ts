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
  readonly ollama: number | undefined;
}

// Node 20 compiles the expression behind this for 3 ms when it is first used, which binding an address does.
// This file is loaded while the storage is being opened: there is time.
net.isIPv6("::1");

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
  /** By port. */
  readonly #names = new Map<number, ReadonlySet<string>>();
  #firstPort = 0;

  constructor(server: Server, surroundings: Surroundings) {
    this.#server = server;
    this.#surroundings = surroundings;
    this.#companion = this.#makeRelay();
  }

  /**
   * The loopback names that lead here and to no other program, on the port; on one that is behind TLS, those
   * of the first.
   */
  namesAt(port: number | undefined): ReadonlySet<string> {
    return this.#names.get(port ?? 0) ?? this.#names.get(this.#firstPort) ?? new Set();
  }

  /**
   * Rejects with AppError `conflict`, which says what to change, and with `invalid_value` for a certificate
   * that cannot be used; nothing listens then.
   */
  async listen({ plain: [first, ...more], tls, ollama = [] }: ListeningPlan): Promise<BoundPorts> {
    const plain = await this.#listenFirst(first);
    try {
      for (const place of more) await this.#listenAlso({ ...place, port: plain }, "--port");
      const secure = tls && (await this.#listenSecurely(tls));
      for (const place of ollama) await this.#listenAlso(place, "server.ollama_port");
      return { plain, tls: secure, ollama: ollama[0]?.port };
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  async #listenFirst(at: Place): Promise<number> {
    const attempts = at.port === 0 ? 10 : 1;
    for (let left = attempts; ; left--) {
      const bound = await this.#bindFirst(at);
      const isTaken = await this.#bindCompanion(this.#companion, bound);
      if (isTaken && left > 1) {
        await close(this.#server);
        continue;
      }
      this.#firstPort = bound.port;
      this.#noteNames(bound, this.#companion, isTaken, "--port");
      return bound.port;
    }
  }

  /** Takes no more connections; resolves when all are closed. */
  async close(): Promise<void> {
    const others = this.#others.splice(0);
    this.#names.clear();
    const closed = others.map((one) => (one instanceof TlsListener ? one.close() : close(one)));
    await Promise.all([close(this.#companion), close(this.#server), ...closed]);
  }

  #makeRelay(): net.Server {
    return net.createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
      this.#server.emit("connection", socket),
    );
  }

  async #listenAlso(at: Place, setting: string): Promise<void> {
    const relay = this.#makeRelay();
    const bound = await bind(relay, at).catch((cause: unknown) => {
      throw taken(at, cause, setting);
    });
    this.#others.push(relay);
    if (this.#names.has(bound.port)) return;
    const companion = this.#makeRelay();
    const isTaken = await this.#bindCompanion(companion, bound);
    this.#others.push(companion);
    this.#noteNames(bound, companion, isTaken, setting);
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

  /** Listens at the other loopback address, where there is one; whether another program does. */
  async #bindCompanion(companion: net.Server, { address, port }: Bound): Promise<boolean> {
    const host = companions[address];
    if (host === undefined) return false;
    return bind(companion, { host, port }).then(
      () => false,
      (error: NodeJS.ErrnoException) => !isMissing(error),
    );
  }

  #noteNames(bound: Bound, companion: net.Server, isTaken: boolean, setting: string): void {
    const { address, port } = bound;
    if (isTaken) this.#warn(bound, setting);
    const names = [...(namesOf[address] ?? [])];
    const other = companions[address];
    if (companion.listening) names.push(...(namesOf[other ?? ""] ?? []));
    if (other !== undefined && !isTaken) names.push("localhost");
    this.#names.set(port, new Set(names));
  }

  #warn({ address, port }: Bound, setting: string): void {
    const other = hostInUrl(companions[address] ?? "");
    const own = namesOf[address]?.[0] ?? "";
    const message =
      `Another program listens on ${other}:${port}, so http://localhost:${port} may lead to it. ` +
      `Use http://${own}:${port}, or choose another port with ${setting}.`;
    this.#surroundings.log.warn({ port }, message);
  }
}
