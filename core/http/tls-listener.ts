import { once } from "node:events";
import net, { type AddressInfo, type Socket } from "node:net";
import tls from "node:tls";
import type { Log } from "@pergola/sdk";
import { readCertificate, versionOf, type CertificateFiles } from "./certificate.ts";
import type { Place } from "./listeners.ts";
import { backlog } from "./options.ts";

/** The first byte of a TLS connection: a handshake record. */
const handshakeRecord = 22;

interface TlsOptions {
  readonly files: CertificateFiles;
  readonly log: Log;
  /** Milliseconds until the handshake must be over. */
  readonly handshakeTimeout: number;
  /** A connection whose handshake has not begun. */
  readonly arrived: (socket: Socket) => void;
  /** The same once it is encrypted. */
  readonly secured: (raw: Socket, encrypted: tls.TLSSocket) => void;
  /** A connection that speaks plain http, or something else. */
  readonly plain: (socket: Socket) => void;
}

/**
 * Listens for https. A certificate that was renewed counts for connections from then on; a faulty one leaves
 * the last good one in force, and the log says why.
 */
export class TlsListener {
  readonly #options: TlsOptions;
  readonly #tls: tls.Server;
  readonly #listener: net.Server;
  /** By the address of their other end, until they are encrypted. */
  readonly #shaking = new Map<string, Socket>();
  #version: string;

  /** Throws AppError `invalid_value` for a certificate that cannot be used. */
  constructor(options: TlsOptions) {
    this.#options = options;
    const { files, handshakeTimeout } = options;
    this.#version = versionOf(files);
    this.#tls = tls.createServer({
      ...readCertificate(files),
      handshakeTimeout,
      ALPNProtocols: ["http/1.1"],
    });
    this.#tls.on("secureConnection", (socket) => this.#secure(socket));
    this.#tls.on("tlsClientError", (_error, socket) => socket.destroy());
    this.#listener = net.createServer({ noDelay: true }, (socket) => this.#greet(socket));
  }

  /** Resolves with the port. Rejects with the system's error. */
  async listen(at: Place): Promise<number> {
    await once(this.#listener.listen({ ...at, backlog }), "listening");
    return (this.#listener.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const socket of this.#shaking.values()) socket.destroy();
    await new Promise((resolve) => this.#listener.close(resolve));
  }

  /** Waits for the first bytes, which tell what the client speaks. */
  #greet(socket: Socket): void {
    const { arrived, handshakeTimeout, plain } = this.#options;
    const key = keyOf(socket);
    this.#shaking.set(key, socket);
    socket.once("close", () => this.#shaking.get(key) === socket && this.#shaking.delete(key));
    socket.on("error", () => socket.destroy());
    socket.setTimeout(handshakeTimeout, () => socket.destroy());
    arrived(socket);
    socket.once("data", (bytes: Buffer) => {
      socket.pause();
      if (bytes[0] !== handshakeRecord) return plain(socket);
      socket.unshift(bytes);
      socket.setTimeout(0);
      this.#renew();
      this.#tls.emit("connection", socket);
    });
  }

  #secure(encrypted: tls.TLSSocket): void {
    const key = keyOf(encrypted);
    const raw = this.#shaking.get(key);
    this.#shaking.delete(key);
    if (raw === undefined) return void encrypted.destroy();
    this.#options.secured(raw, encrypted);
  }

  /** Takes a certificate that has changed since the last look. */
  #renew(): void {
    const { files, log } = this.#options;
    const version = versionOf(files);
    if (version === this.#version || version === "") return;
    this.#version = version;
    try {
      this.#tls.setSecureContext(readCertificate(files));
      log.info({ certificate: files.cert }, "The certificate has changed: the new one is in force.");
    } catch (error) {
      const { message } = error as Error;
      log.warn({ certificate: files.cert }, `The new certificate is left out, the old one stays: ${message}`);
    }
  }
}

const keyOf = ({ remoteAddress = "", remotePort = 0, localAddress = "" }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localAddress}`;
