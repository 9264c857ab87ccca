import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  PROTOCOL_VERSION_META_KEY,
  StreamableHTTPClientTransport,
  type JSONRPCMessage,
  type RequestId,
} from "@modelcontextprotocol/client";
import type { Ends } from "./relay.ts";

const internalError = -32603;

/** Whether a message says itself which revision it speaks, as those of 2026-07-28 do. */
export function isStateless(message: JSONRPCMessage): boolean {
  if (!("method" in message)) return false;
  return message.params?._meta?.[PROTOCOL_VERSION_META_KEY] !== undefined;
}

/** Hands requests on that stand each for itself. */
export class StatelessRelay {
  readonly #link: StreamableHTTPClientTransport;
  readonly #give: Ends["give"];
  /** What ends each request that has no answer yet. */
  readonly #open = new Map<RequestId, AbortController>();
  readonly #started: Promise<void>;

  constructor({ url, fetch, give, report }: Ends) {
    this.#give = give;
    this.#link = new StreamableHTTPClientTransport(url, { fetch });
    this.#link.onerror = ({ message }) => report(message);
    this.#link.onmessage = (message) => void this.#receive(message);
    this.#started = this.#link.start();
  }

  /** Hands a message on. Rejects where it does not reach the service. */
  async take(message: JSONRPCMessage): Promise<void> {
    await this.#started;
    if (!isJSONRPCRequest(message)) return;
    const { id } = message;
    const cancel = new AbortController();
    this.#open.set(id, cancel);
    try {
      await this.#link.send(message, {
        requestSignal: cancel.signal,
        onRequestStreamEnd: () => void this.#lose(id),
      });
    } catch (error) {
      if (this.#open.delete(id)) throw error;
    }
  }

  /** Ends the request that a client takes back; false where it was handed on in a session. */
  cancel(message: JSONRPCMessage): boolean {
    if (!isJSONRPCNotification(message) || message.method !== "notifications/cancelled") return false;
    const id = message.params?.["requestId"] as RequestId;
    const request = this.#open.get(id);
    this.#open.delete(id);
    request?.abort();
    return request !== undefined;
  }

  close(): Promise<void> {
    return this.#link.close();
  }

  async #receive(message: JSONRPCMessage): Promise<void> {
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) {
      if (message.id !== undefined) this.#open.delete(message.id);
    }
    await this.#give(message);
  }

  /** The service was ended before it had answered. */
  async #lose(id: RequestId): Promise<void> {
    if (!this.#open.delete(id)) return;
    const error = { code: internalError, message: "The service broke off its answer." };
    await this.#give({ jsonrpc: "2.0", id, error });
  }
}
