import type {
  JSONRPCMessage,
  StreamableHTTPClientTransport,
  Transport,
  TransportSendOptions,
} from "@modelcontextprotocol/client";
import { boundedFetch } from "./bounded-fetch.ts";
import { cut } from "./failure-of.ts";
import { checkMessage } from "./guarded-messages.ts";
import { headersOf, type ServerSettings } from "./server-settings.ts";
import type { SignIn } from "./sign-in/sign-in.ts";
import { signedFetch } from "./sign-in/signed-fetch.ts";

/** The trace of a message also for what stands between here and the server, and reads no messages. */
function traceHeader(message: JSONRPCMessage): Readonly<Record<string, string>> {
  if (!("method" in message)) return {};
  const traceparent = message.params?._meta?.["traceparent"];
  return typeof traceparent === "string" ? { traceparent } : {};
}

/** The package's own transport over HTTP, which lets no message pass that is nested too deep. */
class HttpTransport implements Transport {
  readonly hasPerRequestStream = true;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport["onmessage"];
  readonly #inner: StreamableHTTPClientTransport;
  /** What went wrong since the last message. */
  #fault = "";

  constructor(inner: StreamableHTTPClientTransport) {
    this.#inner = inner;
    inner.onclose = () => this.onclose?.();
    inner.onerror = (error) => {
      this.#fault = error.message;
      this.onerror?.(error);
    };
    inner.onmessage = (message) => {
      this.#fault = "";
      checkMessage(message);
      this.onmessage?.(message);
    };
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    const onRequestStreamEnd = (): void => this.#lose(message);
    const headers = { ...traceHeader(message), ...options.headers };
    return this.#inner.send(message, { onRequestStreamEnd, ...options, headers });
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion(version);
  }

  terminateSession(): Promise<void> {
    return this.#inner.terminateSession();
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  /** No answer can come any more; whoever has it already does not look at this one. */
  #lose(message: JSONRPCMessage): void {
    if (!("method" in message && "id" in message)) return;
    const error = { code: cut, message: this.#fault || "The server broke off its answer." };
    this.onmessage?.({ jsonrpc: "2.0", id: message.id, error });
  }
}

/** Messages over HTTP, behind a fetch with limits that sends the person's tokens. */
export async function openHttpTransport(settings: ServerSettings, signIn: SignIn): Promise<HttpTransport> {
  const { StreamableHTTPClientTransport: Inner } = await import("@modelcontextprotocol/client");
  return new HttpTransport(
    new Inner(new URL(settings.url ?? ""), {
      fetch: signIn.isPossible ? signedFetch(boundedFetch, signIn) : boundedFetch,
      requestInit: { headers: headersOf(settings) },
    }),
  );
}
