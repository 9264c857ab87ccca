import { AppError, type EndpointRequest, type Services } from "@pergola/sdk";
import { openSession, type Session } from "./open-session.ts";
import { sameCaller } from "./same-caller.ts";

interface OpenSession {
  readonly session: Session;
  /** When something was last asked in it. */
  used: number;
  /** Requests that are being answered, streams included. */
  busy: number;
}

/** At the same time, and milliseconds without a request after which one is ended. */
const [mostSessions, longestIdle] = [256, 30 * 60_000];

/** Clients of the protocol look at the status: 404 makes them greet anew. */
const missing = new AppError({
  code: "missing_field",
  message: "A request after the greeting names its session: Mcp-Session-Id.",
});
const unknown = new AppError({ code: "not_found", message: "There is no such session." });

const isInitialize = (body: unknown): boolean =>
  (body as { readonly method?: unknown } | null)?.method === "initialize";

/** The sessions of MCP clients with one host. A session is its caller's alone: its id proves nothing. */
export class Sessions {
  readonly #services: Services;
  readonly #sessions = new Map<string, OpenSession>();

  constructor(services: Services) {
    this.#services = services;
  }

  /**
   * Finds the session that a request names, or opens one for a greeting. Throws AppError `missing_field` and
   * `not_found`.
   */
  async handle(forwarded: Request, request: EndpointRequest): Promise<Response> {
    const { method } = forwarded;
    const id = request.headers["mcp-session-id"];
    if (id === undefined && method === "POST" && isInitialize(request.rawBody))
      return this.#greet(forwarded, request);
    if (id === undefined) throw missing;
    const open = this.#sessions.get(id);
    if (open === undefined || !sameCaller(open.session.caller, request.caller)) throw unknown;
    open.used = Date.now();
    if (method === "GET") this.#markBusy(open, request.signal);
    return open.session.handle(forwarded, request.rawBody);
  }

  endIdle(): void {
    for (const [id, { used, busy }] of this.#sessions)
      if (busy === 0 && Date.now() - used > longestIdle) this.#end(id);
  }

  tellToolsChanged(): void {
    for (const { session } of this.#sessions.values()) session.tellToolsChanged().catch(() => undefined);
  }

  async close(): Promise<void> {
    const all = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.allSettled(all.map(({ session }) => session.close()));
  }

  async #greet(forwarded: Request, { caller, rawBody }: EndpointRequest): Promise<Response> {
    const session: Session = await openSession({
      services: this.#services,
      caller,
      opened: (id) => this.#add(id, { session, used: Date.now(), busy: 0 }),
      closed: (id) => void this.#sessions.delete(id),
    });
    return session.handle(forwarded, rawBody);
  }

  #add(id: string, open: OpenSession): void {
    this.#sessions.set(id, open);
    const idle = [...this.#sessions]
      .filter(([, { busy }]) => busy === 0)
      .toSorted(([, a], [, b]) => a.used - b.used);
    for (const [old] of idle.slice(0, Math.max(0, this.#sessions.size - mostSessions))) this.#end(old);
  }

  #markBusy(open: OpenSession, signal: AbortSignal): void {
    open.busy += 1;
    signal.addEventListener("abort", () => (open.busy -= 1), { once: true });
  }

  #end(id: string): void {
    const open = this.#sessions.get(id);
    this.#sessions.delete(id);
    void open?.session.close();
  }
}
