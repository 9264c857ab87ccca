import { AppError, type Caller, type JsonObject, type Services } from "@pergola/sdk";
import type { Scope } from "@pergola/sdk/host";

type Route = ReturnType<Services["system"]["routes"]>[number];

interface Given {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
}

const owner: Caller = {
  kind: "owner",
  id: "events",
  name: "events",
  remote: false,
  scopes: ["read", "chat", "tools", "approve", "admin"],
  root: null,
};

/** Reads records by the routes that show them, so that they look here as they do there. */
export class RouteReader {
  readonly #services: Services;
  readonly #answers = new Map<string, Promise<JsonObject>>();

  constructor(services: Services) {
    this.#services = services;
  }

  /** The answer of a GET route to the owner; a reader asks each but once. Rejects as the route does. */
  read(path: string, given: Given = {}): Promise<JsonObject> {
    const key = JSON.stringify([path, given]);
    const answer = this.#answers.get(key) ?? this.#ask(path, given);
    this.#answers.set(key, answer);
    return answer;
  }

  async #ask(path: string, { params = {}, query = {} }: Given): Promise<JsonObject> {
    const route = routeAt(this.#services, path);
    if (route === undefined) throw new AppError({ code: "route_not_found", message: `No ${path}.` });
    const request = {
      id: "events",
      params,
      query,
      body: undefined,
      rawBody: undefined,
      headers: {},
      caller: owner,
      requireScope: () => undefined,
      signal: AbortSignal.timeout(15_000),
      disconnect: () => undefined,
    };
    const answer = await route.handle(request, this.#services);
    return JSON.parse(JSON.stringify("body" in answer ? answer.body : {})) as JsonObject;
  }
}

const routeAt = ({ system }: Services, path: string): Route | undefined =>
  system.routes().find((route) => route.method === "GET" && route.path === path);

/** Whether a caller may use a GET route that there is. */
export function mayRead(services: Services, path: string, { kind, scopes }: Caller): boolean {
  const route = routeAt(services, path);
  if (route === undefined || services.preferences.get(`endpoints.${route.group}.enabled`) === false)
    return false;
  if (route.scope === "owner") return kind === "owner";
  return scopes.includes(route.scope as Scope);
}
