import type { IncomingMessage, ServerResponse } from "node:http";
import type { AppError, Caller, Route } from "@pergola/sdk";
import { fault } from "../fault.ts";
import { allowOrigin } from "./cors.ts";
import type { HttpOptions } from "./options.ts";
import { isFromOwnChild } from "./own-children.ts";
import { isOwnAccount } from "./peer.ts";
import { RefusedOrigins } from "./refused-origins.ts";

const loopbackHost = /^(localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;
const loopbackOrigin = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::(\d+))?$/;

/** What checks on access need to know. */
export interface AccessOptions extends HttpOptions {
  /** The loopback names that lead to this server and to no other program. */
  readonly ownNames: () => ReadonlySet<string>;
}

type Context = AccessOptions & { readonly refused: RefusedOrigins };

/** What counts of the route that a request is for; nothing where no route fits. */
export type RouteAccess = Pick<Route, "open" | "page">;

/** Finds out who calls. Throws AppError for who may not. */
export type Admit = (
  request: IncomingMessage,
  response: ServerResponse,
  route?: RouteAccess,
) => Promise<Caller>;

/** An IPv4 address that arrives over IPv6, as IPv4. */
const canonical = (address: string): string => address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, "");

/** Refuses what could be read in two ways. */
export function checkForm({ rawHeaders, url = "" }: IncomingMessage): void {
  const hosts = rawHeaders.filter(
    (name, index) => index % 2 === 0 && name.length === 4 && name.toLowerCase() === "host",
  );
  if (hosts.length !== 1) throw fault("invalid_value", "A request has exactly one Host header.");
  if (!url.startsWith("/")) throw fault("invalid_value", "The target of a request is a path.");
}

function isOwnOrigin(origin: string, { socket }: IncomingMessage, { ownNames }: AccessOptions): boolean {
  const [, name = "", port = "80"] = loopbackOrigin.exec(origin) ?? [];
  return ownNames().has(name) && Number(port) === socket.localPort;
}

/** Lets pages of allowed origins read the answer. Those of other programs on this computer are strangers. */
function checkOrigin(request: IncomingMessage, response: ServerResponse, context: Context): void {
  const { origin } = request.headers;
  if (origin === undefined) return;
  const isAllowed =
    isOwnOrigin(origin, request, context) ||
    context.preference<string[]>("server.allowed_origins").includes(origin);
  if (!isAllowed) throw context.refused.refuse(origin);
  allowOrigin(request, response, origin);
}

/** Protects against DNS rebinding. */
function checkHost({ headers }: IncomingMessage, { preference, ownNames }: AccessOptions): void {
  const host = headers.host?.toLowerCase() ?? "";
  const [, name = ""] = loopbackHost.exec(host) ?? [];
  if (ownNames().has(name)) return;
  const names = [host, host.replace(/:\d+$/, "")];
  if (preference<string[]>("server.allowed_hosts").some((one) => names.includes(one.toLowerCase()))) return;
  throw fault(
    "forbidden_host",
    `"${host}" is not a name of this service. If it should be, add it to server.allowed_hosts.`,
  );
}

/** Whether a person has followed a link to a page of the service. */
const isNavigation = ({ method, headers }: IncomingMessage, route?: RouteAccess): boolean =>
  method === "GET" &&
  headers["sec-fetch-mode"] === "navigate" &&
  headers["sec-fetch-dest"] === "document" &&
  route?.open === true &&
  route.page === true;

/** Protects against requests of other sites that carry no Origin header, such as those for images. */
function checkSite(request: IncomingMessage, route: RouteAccess | undefined, { refused }: Context): void {
  const { origin, "sec-fetch-site": site = "none" } = request.headers;
  if (origin !== undefined || site === "none" || site === "same-origin") return;
  if (isNavigation(request, route)) return;
  throw refused.refuse("");
}

const isLoopback = (address: string): boolean => /^(127\.|::1$)/.test(address);

/** True for callers on this computer, except proxies that are not trusted. */
function isLocal({ headers }: IncomingMessage, address: string, { preference }: HttpOptions): boolean {
  if (!isLoopback(address)) return false;
  if (headers.forwarded === undefined && headers["x-forwarded-for"] === undefined) return true;
  return preference<string[]>("server.trusted_proxies").some((proxy) => canonical(proxy) === address);
}

/** Whether a caller on this computer is the owner without a token, as `auth.loopback` says. */
async function isOwner({ socket }: IncomingMessage, { preference }: AccessOptions): Promise<boolean> {
  const rule = preference("auth.loopback");
  if (rule === "same-user") return isOwnAccount(socket);
  return rule !== "token";
}

/** No program that the service has started acts for the person, with or without a token. */
async function checkNoOwnChild({ socket }: IncomingMessage): Promise<void> {
  if (!(await isFromOwnChild(socket))) return;
  const message =
    "Programs that this service has started may not use it: no plugin, tool or command acts for a person. " +
    "Run the command in a terminal of your own.";
  throw fault("remote_not_allowed", message);
}

function targetOf({ method = "", url = "" }: IncomingMessage) {
  const [path = ""] = url.split("?", 1);
  return { method: method === "HEAD" ? "GET" : method, path: path.replace(/(?<=.)\/$/, "") };
}

const tokenNeeded = "A valid token is required: Authorization: Bearer <token>.";
const otherAccount =
  "This service belongs to another account of this computer. Use it from that account, or let every " +
  "account of this computer use it with auth.loopback: none in its settings.";

/** The caller whom a token names; undefined without a valid one. */
function authenticated(
  request: IncomingMessage,
  address: string,
  { authenticate }: AccessOptions,
): Promise<Caller | undefined> {
  const headers = request.headers as Readonly<Record<string, string | undefined>>;
  return authenticate({ ...targetOf(request), headers, address });
}

/** Whether a token would count: where one is needed, and the owner's own where the account is known. */
function countsToken({ headers }: IncomingMessage, isOpen: boolean, { preference }: AccessOptions): boolean {
  if (!isOpen) return true;
  const hasToken = headers.authorization !== undefined || headers["x-api-key"] !== undefined;
  return hasToken && preference("auth.loopback") === "same-user";
}

/**
 * Identifies the caller before the body is read. The owner's requests on this computer need a valid Host
 * header, all others a token.
 */
export function createAdmission(options: AccessOptions): Admit {
  const context: Context = { ...options, refused: new RefusedOrigins(options.log) };
  return async (request, response, route) => {
    const address = canonical(request.socket.remoteAddress ?? "unknown");
    if (isLoopback(address)) await checkNoOwnChild(request);
    const local = isLocal(request, address, options);
    const isOpen = route?.open === true || (local && (await isOwner(request, options)));
    if (isOpen && local) {
      checkHost(request, options);
      checkSite(request, route, context);
    }
    checkOrigin(request, response, context);
    if (countsToken(request, isOpen, options)) {
      const caller = await authenticated(request, address, options);
      if (caller !== undefined) return caller;
    }
    if (isOpen) return { remote: !local, id: address };
    throw refusal(local, options);
  };
}

function refusal(isLocalCall: boolean, { preference }: AccessOptions): AppError {
  const isOtherAccount = isLocalCall && preference("auth.loopback") === "same-user";
  return fault("invalid_api_key", isOtherAccount ? otherAccount : tokenNeeded);
}
