import {
  isInitializeRequest,
  isJSONRPCResultResponse,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type FetchLike,
  type JSONRPCMessage,
} from "@modelcontextprotocol/client";
import { isStateless, StatelessRelay } from "./stateless-relay.ts";

export interface Ends {
  readonly url: URL;
  readonly fetch: FetchLike;
  readonly give: (message: JSONRPCMessage) => Promise<void>;
  readonly report: (text: string) => void;
}

type Initialize = JSONRPCMessage & { readonly id: string | number };

/** The service forgets its sessions when it is started again, and those that were idle for long. */
const isForgotten = (error: unknown): boolean => error instanceof SdkHttpError && error.status === 404;

/**
 * Hands a client's messages on to the service: those of a client that opens a session in one that is opened
 * again where it was forgotten.
 */
export class Relay {
  readonly #ends: Ends;
  readonly #stateless: StatelessRelay;
  #link: StreamableHTTPClientTransport | undefined;
  #initialize: Initialize | undefined;
  /** Settles once the session is open: nothing overtakes its opening. */
  #opened: Promise<void> = Promise.resolve();
  /** The id of an opening whose answer the client does not wait for. */
  #unasked: string | undefined;
  #reopening: Promise<void> | undefined;

  constructor(ends: Ends) {
    this.#ends = ends;
    this.#stateless = new StatelessRelay(ends);
  }

  /** Hands a message on. Rejects where it does not reach the service. */
  async take(message: JSONRPCMessage): Promise<void> {
    if (this.#stateless.cancel(message)) return;
    if (isStateless(message)) return this.#stateless.take(message);
    if (isInitializeRequest(message)) {
      this.#initialize = message as Initialize;
      this.#opened = this.#open(this.#initialize);
      return this.#opened;
    }
    await this.#opened;
    const link = this.#link;
    try {
      await this.#send(message);
    } catch (error) {
      if (link === this.#link && !isForgotten(error)) throw error;
      await this.#reopen(link);
      await this.#send(message);
    }
  }

  async #send(message: JSONRPCMessage): Promise<void> {
    if (this.#link === undefined) throw new Error("Send initialize first.");
    await this.#link.send(message);
  }

  async #open(initialize: Initialize): Promise<void> {
    await this.#link?.close();
    const { url, fetch, report } = this.#ends;
    const link = new StreamableHTTPClientTransport(url, { fetch });
    this.#link = link;
    const answered = new Promise<void>((resolve) => {
      link.onmessage = (message) => {
        if (isJSONRPCResultResponse(message) && message.id === initialize.id) {
          link.setProtocolVersion(String(message.result["protocolVersion"]));
          resolve();
        }
        void this.#give(message);
      };
    });
    link.onerror = ({ message }) => report(message);
    await link.start();
    await link.send(initialize);
    await answered;
  }

  async #give(message: JSONRPCMessage): Promise<void> {
    if (isJSONRPCResultResponse(message) && message.id === this.#unasked) return;
    await this.#ends.give(message);
  }

  /** Once for all messages that found the session gone: the first ends the requests of the others. */
  async #reopen(lost: StreamableHTTPClientTransport | undefined): Promise<void> {
    if (lost === this.#link)
      this.#reopening ??= this.#openAgain().finally(() => (this.#reopening = undefined));
    await this.#reopening;
  }

  async #openAgain(): Promise<void> {
    if (this.#initialize === undefined) throw new Error("Send initialize first.");
    this.#unasked = `again-${crypto.randomUUID()}`;
    await this.#open({ ...this.#initialize, id: this.#unasked });
    await this.#send({ jsonrpc: "2.0", method: "notifications/initialized" });
  }

  /** Ends the session. */
  async close(): Promise<void> {
    await this.#link?.terminateSession().catch(() => undefined);
    await this.#link?.close();
    await this.#stateless.close();
  }
}
