import type { IncomingMessage, ServerResponse } from "node:http";
import type { Route } from "@pergola/sdk";
import { fault } from "../fault.ts";
import { allowOrigin } from "./cors.ts";
import type { HttpOptions } from "./options.ts";
import type { RefusedOrigins } from "./refused-origins.ts";

const loopbackHost = /^(localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;
const loopbackOrigin = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::(\d+))?$/;

/** What the checks of Host and Origin need to know. */
export interface OriginOptions extends Pick<HttpOptions, "preference"> {
  /** The loopback names that lead to this server and to no other program, on the port. */
  readonly ownNames: (port: number | undefined) => ReadonlySet<string>;
  readonly refused: RefusedOrigins;
}

function isOwnOrigin(origin: string, { socket }: IncomingMessage, { ownNames }: OriginOptions): boolean {
  const [, name = "", port = "80"] = loopbackOrigin.exec(origin) ?? [];
  return ownNames(socket.localPort).has(name) && Number(port) === socket.localPort;
}

/**
 * Lets pages of allowed origins read the answer. Those of other programs on this computer are strangers.
 * `address`: the scheme and Host of the request, whose page is the service's own to callers who prove who
 * they are; absent where nobody has.
 */
export function checkOrigin(
  request: IncomingMessage,
  response: ServerResponse,
  options: OriginOptions,
  address?: string,
): void {
  const { origin } = request.headers;
  if (origin === undefined) return;
  const isAllowed =
    origin === address ||
    isOwnOrigin(origin, request, options) ||
    options.preference<string[]>("server.allowed_origins").includes(origin);
  if (!isAllowed) throw options.refused.refuse(origin);
  allowOrigin(request, response, origin);
}

/** The address under which the client reaches the service: `https://host:port`. */
export function addressOf({ headers }: IncomingMessage, isSecure: boolean): string {
  const scheme = isSecure ? "https" : "http";
  return `${scheme}://${headers.host?.toLowerCase() ?? ""}`;
}

/** Protects against DNS rebinding. */
export function checkHost(
  { headers, socket }: IncomingMessage,
  { preference, ownNames }: OriginOptions,
): void {
  const host = headers.host?.toLowerCase() ?? "";
  const [, name = ""] = loopbackHost.exec(host) ?? [];
  if (ownNames(socket.localPort).has(name)) return;
  const names = [host, host.replace(/:\d+$/, "")];
  if (preference<string[]>("server.allowed_hosts").some((one) => names.includes(one.toLowerCase()))) return;
  throw fault(
    "forbidden_host",
    `"${host}" is not a name of this service. If it should be, add it to server.allowed_hosts.`,
  );
}

/** Whether a person has followed a link to a page of the service. */
const isNavigation = ({ method, headers }: IncomingMessage, route?: Pick<Route, "scope" | "page">): boolean =>
  method === "GET" &&
  headers["sec-fetch-mode"] === "navigate" &&
  headers["sec-fetch-dest"] === "document" &&
  route?.scope === "open" &&
  route.page === true;

/** Protects against requests of other sites that carry no Origin header, such as those for images. */
export function checkSite(
  request: IncomingMessage,
  route: Pick<Route, "scope" | "page"> | undefined,
  { refused }: OriginOptions,
): void {
  const { origin, "sec-fetch-site": site = "none" } = request.headers;
  if (origin !== undefined || site === "none" || site === "same-origin") return;
  if (isNavigation(request, route)) return;
  throw refused.refuse("");
}
