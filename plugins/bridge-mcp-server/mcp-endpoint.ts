import type { McpHttpHandler } from "@modelcontextprotocol/server";
import type { Caller, EndpointRequest, Method, Services } from "@pergola/sdk";
import { answerCall } from "./answer-call.ts";
import { loadProtocol, openServer } from "./open-server.ts";
import { Sessions } from "./sessions.ts";
import { WaitingCalls } from "./waiting-calls.ts";

/** Clients without a session that listen at the same time. */
const mostListeners = 256;
const sweepEvery = 500;

const isForwarded = (name: string): boolean =>
  ["accept", "content-type", "last-event-id", "traceparent"].includes(name) || name.startsWith("mcp-");

function requestOf(method: Method, { headers, signal }: EndpointRequest): Request {
  const request = new Request("http://localhost/mcp", {
    method,
    headers: { "content-type": "application/json" },
    signal,
  });
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && isForwarded(name)) request.headers.set(name, value);
  return request;
}

/**
 * One address for clients of all revisions of the protocol: those up to 2025-11-25 open sessions, those of
 * 2026-07-28 say with each request who they are.
 */
export class McpEndpoint {
  readonly #services: Services;
  readonly #sessions: Sessions;
  readonly #waiting = new WaitingCalls();
  #stateless: Promise<McpHttpHandler> | undefined;
  #sweep: NodeJS.Timeout | undefined;

  constructor(services: Services) {
    this.#services = services;
    this.#sessions = new Sessions(services);
    services.preferences.watch((keys) => {
      if (keys.includes("tools.disabled")) void this.#tellToolsChanged();
    });
  }

  /** Throws AppError `missing_field` and `not_found` for what belongs to no session. */
  async handle(method: Method, request: EndpointRequest): Promise<Response> {
    this.#sweep ??= setInterval(() => this.#endIdle(), sweepEvery).unref();
    const { isLegacyRequest } = await loadProtocol();
    const { rawBody, caller } = request;
    const forwarded = requestOf(method, request);
    if (await isLegacyRequest(forwarded, rawBody)) return this.#sessions.handle(forwarded, request);
    this.#stateless ??= this.#openStateless();
    return (await this.#stateless).fetch(forwarded, { parsedBody: rawBody, authInfo: authOf(caller) });
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep);
    this.#sweep = undefined;
    const stateless = this.#stateless;
    this.#stateless = undefined;
    this.#waiting.close();
    await Promise.all([this.#sessions.close(), stateless?.then((handler) => handler.close())]);
  }

  async #openStateless(): Promise<McpHttpHandler> {
    const protocol = await loadProtocol();
    const parts = { protocol, services: this.#services, waiting: this.#waiting };
    return protocol.createMcpHandler(
      ({ authInfo }) => {
        const caller = authInfo?.extra?.["caller"] as Caller;
        return openServer(protocol, this.#services, (call) => answerCall(parts, call, caller));
      },
      // Streams from the first byte on: a long call must not look like a dead connection.
      { legacy: "reject", responseMode: "sse", maxSubscriptions: mostListeners },
    );
  }

  /** A stream that stands open would hold up the service's end. */
  #endIdle(): void {
    if (this.#services.system.stopping) return void this.close();
    this.#sessions.endIdle();
    this.#waiting.endIdle();
  }

  /** A client that does not listen asks when it wants to know. */
  async #tellToolsChanged(): Promise<void> {
    this.#sessions.tellToolsChanged();
    (await this.#stateless)?.notify.toolsChanged();
  }
}

/** The caller goes with the request to the server that answers it. */
const authOf = (caller: Caller) => ({ token: "", clientId: caller.id, scopes: [], extra: { caller } });
