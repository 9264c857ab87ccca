import { AppError, type Caller, type EndpointRequest, type Method, type Services } from "@pergola/sdk";
import { openSession, type Session } from "./open-session.ts";

interface OpenSession {
  readonly session: Session;
  /** When something was last asked in it. */
  used: number;
  /** Requests that are being answered, streams included. */
  busy: number;
}

/** At the same time, and milliseconds without a request after which one is ended. */
const [mostSessions, longestIdle] = [256, 30 * 60_000];
const sweepEvery = 500;
const forwarded = ["accept", "content-type", "mcp-session-id", "mcp-protocol-version", "last-event-id"];

/** Clients of the protocol look at the status: 404 makes them greet anew. */
const missing = new AppError({
  code: "missing_field",
  message: "A request after the greeting names its session: Mcp-Session-Id.",
});
const unknown = new AppError({ code: "not_found", message: "There is no such session." });

const isInitialize = (body: unknown): boolean =>
  (body as { readonly method?: unknown } | null)?.method === "initialize";
const sameCaller = (a: Caller, b: Caller): boolean => a.remote === b.remote && (!a.remote || a.id === b.id);

function requestOf(method: Method, { headers }: EndpointRequest): Request {
  const request = new Request("http://localhost/mcp", {
    method,
    headers: { "content-type": "application/json" },
  });
  for (const name of forwarded) if (headers[name] !== undefined) request.headers.set(name, headers[name]);
  return request;
}

/** The sessions of MCP clients with one host. A session is its caller's alone: its id proves nothing. */
export class Sessions {
  readonly #services: Services;
  readonly #sessions = new Map<string, OpenSession>();
  #sweep: NodeJS.Timeout | undefined;

  constructor(services: Services) {
    this.#services = services;
    services.preferences.watch((keys) => {
      if (keys.includes("tools.disabled")) this.#tellToolsChanged();
    });
  }

  /**
   * Finds the session that a request names, or opens one for a greeting. Throws AppError `missing_field` and
   * `not_found`.
   */
  async handle(method: Method, request: EndpointRequest): Promise<Response> {
    const id = request.headers["mcp-session-id"];
    if (id === undefined && method === "POST" && isInitialize(request.rawBody)) return this.#greet(request);
    if (id === undefined) throw missing;
    const open = this.#sessions.get(id);
    if (open === undefined || !sameCaller(open.session.caller, request.caller)) throw unknown;
    open.used = Date.now();
    if (method === "GET") this.#markBusy(open, request.signal);
    return open.session.handle(requestOf(method, request), request.rawBody);
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep);
    this.#sweep = undefined;
    const all = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.allSettled(all.map(({ session }) => session.close()));
  }

  async #greet(request: EndpointRequest): Promise<Response> {
    const session: Session = await openSession({
      services: this.#services,
      caller: request.caller,
      opened: (id) => this.#add(id, { session, used: Date.now(), busy: 0 }),
      closed: (id) => void this.#sessions.delete(id),
    });
    return session.handle(requestOf("POST", request), request.rawBody);
  }

  #add(id: string, open: OpenSession): void {
    this.#sessions.set(id, open);
    this.#sweep ??= setInterval(() => this.#endIdle(), sweepEvery).unref();
    const idle = [...this.#sessions]
      .filter(([, { busy }]) => busy === 0)
      .toSorted(([, a], [, b]) => a.used - b.used);
    for (const [old] of idle.slice(0, Math.max(0, this.#sessions.size - mostSessions))) this.#end(old);
  }

  #markBusy(open: OpenSession, signal: AbortSignal): void {
    open.busy += 1;
    signal.addEventListener("abort", () => (open.busy -= 1), { once: true });
  }

  /** A stream that stands open would hold up the service's end. */
  #endIdle(): void {
    if (this.#services.system.stopping) return void this.close();
    for (const [id, { used, busy }] of this.#sessions)
      if (busy === 0 && Date.now() - used > longestIdle) this.#end(id);
  }

  /** A client that does not listen asks when it wants to know. */
  #tellToolsChanged(): void {
    for (const { session } of this.#sessions.values()) session.tellToolsChanged().catch(() => undefined);
  }

  #end(id: string): void {
    const open = this.#sessions.get(id);
    this.#sessions.delete(id);
    void open?.session.close();
  }
}
