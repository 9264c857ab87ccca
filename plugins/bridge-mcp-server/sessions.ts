import { AppError, type Caller, type EndpointRequest, type Method, type Services } from "@pergola/sdk";
import { openSession, type Session } from "./open-session.ts";

interface Kept {
  readonly session: Session;
  /** When something was last asked in it. */
  used: number;
  /** Requests that are being answered, streams included. */
  busy: number;
}

/** At the same time, and milliseconds without a request after which one is ended. */
const [mostSessions, longestIdle] = [256, 30 * 60_000];
const sweepEvery = 500;
const passedOn = ["accept", "content-type", "mcp-session-id", "mcp-protocol-version", "last-event-id"];

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
  const kept = passedOn.flatMap((name) =>
    headers[name] === undefined ? [] : [[name, headers[name]] as [string, string]],
  );
  return new Request("http://localhost/mcp", {
    method,
    headers: { "content-type": "application/json", ...Object.fromEntries(kept) },
  });
}

/** The sessions of MCP clients with one host. A session is its caller's alone: its id proves nothing. */
export class Sessions {
  readonly #services: Services;
  readonly #kept = new Map<string, Kept>();
  #sweep: NodeJS.Timeout | undefined;

  constructor(services: Services) {
    this.#services = services;
  }

  /**
   * Finds the session that a request names, or opens one for a greeting. Throws AppError `missing_field` and
   * `not_found`.
   */
  async handle(method: Method, request: EndpointRequest): Promise<Response> {
    const id = request.headers["mcp-session-id"];
    if (id === undefined && method === "POST" && isInitialize(request.rawBody)) return this.#greet(request);
    if (id === undefined) throw missing;
    const kept = this.#kept.get(id);
    if (kept === undefined || !sameCaller(kept.session.caller, request.caller)) throw unknown;
    kept.used = Date.now();
    if (method === "GET") this.#hold(kept, request.signal);
    return kept.session.handle(requestOf(method, request), request.rawBody);
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep);
    this.#sweep = undefined;
    const all = [...this.#kept.values()];
    this.#kept.clear();
    await Promise.allSettled(all.map(({ session }) => session.close()));
  }

  async #greet(request: EndpointRequest): Promise<Response> {
    const session: Session = await openSession({
      services: this.#services,
      caller: request.caller,
      opened: (id) => this.#keep(id, { session, used: Date.now(), busy: 0 }),
      closed: (id) => void this.#kept.delete(id),
    });
    return session.handle(requestOf("POST", request), request.rawBody);
  }

  #keep(id: string, kept: Kept): void {
    this.#kept.set(id, kept);
    this.#sweep ??= setInterval(() => this.#look(), sweepEvery).unref();
    const idle = [...this.#kept]
      .filter(([, { busy }]) => busy === 0)
      .toSorted(([, a], [, b]) => a.used - b.used);
    for (const [old] of idle.slice(0, Math.max(0, this.#kept.size - mostSessions))) this.#end(old);
  }

  #hold(kept: Kept, signal: AbortSignal): void {
    kept.busy += 1;
    signal.addEventListener("abort", () => (kept.busy -= 1), { once: true });
  }

  /** A stream that stands open would hold up the service's end. */
  #look(): void {
    if (this.#services.system.stopping) return void this.close();
    for (const [id, { used, busy }] of this.#kept)
      if (busy === 0 && Date.now() - used > longestIdle) this.#end(id);
  }

  #end(id: string): void {
    const kept = this.#kept.get(id);
    this.#kept.delete(id);
    void kept?.session.close();
  }
}
