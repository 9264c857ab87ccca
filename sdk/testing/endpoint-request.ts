import type { EndpointRequest, OptionalService, Services, ServicesWith } from "@pergola/sdk";

/**
 * A request as a route's handler gets it once it is checked: from this computer, without parameters, query
 * and body unless given.
 */
export const endpointRequest = (overrides: Partial<EndpointRequest> = {}): EndpointRequest => ({
  id: "req_test",
  params: {},
  query: {},
  body: {},
  rawBody: overrides.body ?? {},
  headers: {},
  caller: {
    kind: "owner",
    id: "127.0.0.1",
    name: "owner",
    remote: false,
    scopes: ["read", "chat", "tools", "approve", "admin"],
    root: null,
  },
  requireScope: () => undefined,
  signal: new AbortController().signal,
  disconnect: () => undefined,
  ...overrides,
});

type Given = { readonly [K in keyof Services]?: Partial<Services[K]> };

/** A service of which only some methods are there; the use of another fails the test by name. */
const strict = <T extends object>(name: string, methods: Partial<T>): T =>
  new Proxy(methods as T, {
    get(target, key) {
      if (key in target || typeof key === "symbol") return target[key as keyof T];
      throw new Error(`The test gives no ${name}.${key}.`);
    },
  });

/** Services for a handler under test: what is given, and a clear failure for whatever else it uses. */
export const fakeServices = <G extends Given>(services: G): ServicesWith<keyof G & OptionalService> =>
  strict<ServicesWith<keyof G & OptionalService>>(
    "services",
    Object.fromEntries(
      Object.entries(services).map(([name, methods]) => [name, strict<object>(name, methods)]),
    ) as object,
  );
