import type { IncomingMessage, ServerResponse } from "node:http";
import type { Caller } from "@pergola/sdk";
import { fault } from "../fault.ts";
import type { HttpOptions } from "./options.ts";
import { isFromOwnChild } from "./own-children.ts";
import { isOwnAccount } from "./peer.ts";

const ownHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;
const ownOrigin = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::(\d+))?$/;
const corsHeaders = {
  "Access-Control-Allow-Credentials": "true",
  "Access-Control-Allow-Methods": "GET, POST, PUT, PATCH, DELETE, OPTIONS",
  "Access-Control-Allow-Headers":
    "Accept, Authorization, Content-Type, Last-Event-ID, X-Requested-With, X-Request-Id, X-Session-Id",
  "Access-Control-Expose-Headers": "X-Conversation-Id, X-Run-Id, X-Request-Id, Retry-After",
  "Access-Control-Max-Age": "3600",
};

/** An IPv4 address that arrives over IPv6, as IPv4. */
const canonical = (address: string): string => address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, "");

function checkForm({ rawHeaders, url = "" }: IncomingMessage): void {
  const hosts = rawHeaders.filter(
    (name, index) => index % 2 === 0 && name.length === 4 && name.toLowerCase() === "host",
  );
  if (hosts.length !== 1) throw fault("invalid_value", "A request has exactly one Host header.");
  if (!url.startsWith("/")) throw fault("invalid_value", "The target of a request is a path.");
}

/** Echoes an allowed origin. Pages of other programs on this computer are not allowed by default. */
function checkOrigin(
  { headers: { origin }, socket }: IncomingMessage,
  response: ServerResponse,
  { preference }: HttpOptions,
): void {
  if (origin === undefined) return;
  const own = ownOrigin.exec(origin);
  const isOwn = own !== null && Number(own[1] ?? 80) === socket.localPort;
  if (!isOwn && !preference<string[]>("server.allowed_origins").includes(origin))
    throw fault(
      "forbidden_origin",
      `Pages of ${origin} may not use this service. To allow them, add it to server.allowed_origins.`,
    );
  response.setHeader("Access-Control-Allow-Origin", origin);
  for (const [name, value] of Object.entries(corsHeaders)) response.setHeader(name, value);
}

/** Protects against DNS rebinding, and against cross-site requests without an Origin header. */
function checkPage({ headers }: IncomingMessage, { preference }: HttpOptions): void {
  const host = headers.host?.toLowerCase() ?? "";
  const names = [host, host.replace(/:\d+$/, "")];
  const isOurs =
    ownHost.test(host) ||
    preference<string[]>("server.allowed_hosts").some((name) => names.includes(name.toLowerCase()));
  if (!isOurs)
    throw fault(
      "forbidden_host",
      `"${host}" is not a name of this service. If it should be, add it to server.allowed_hosts.`,
    );
  const isCrossSite = headers.origin === undefined && headers["sec-fetch-site"] === "cross-site";
  if (isCrossSite)
    throw fault(
      "forbidden_origin",
      "Pages of other sites may not use this service. To allow them, use server.allowed_origins.",
    );
}

const isLoopback = (address: string): boolean => /^(127\.|::1$)/.test(address);

/** True for callers on this computer, except proxies that are not trusted. */
function isLocal({ headers }: IncomingMessage, address: string, { preference }: HttpOptions): boolean {
  if (!isLoopback(address)) return false;
  if (headers.forwarded === undefined && headers["x-forwarded-for"] === undefined) return true;
  return preference<string[]>("server.trusted_proxies").some((proxy) => canonical(proxy) === address);
}

/** Whether a caller on this computer is the owner without a token, as `auth.loopback` says. */
async function isOwner({ socket }: IncomingMessage, { preference }: HttpOptions): Promise<boolean> {
  const rule = preference("auth.loopback");
  if (rule === "same-user") return isOwnAccount(socket);
  return rule !== "token";
}

interface Target {
  readonly method: string;
  readonly path: string;
}

/** Preflights and open routes never need a token. */
const isOpen = ({ method, path }: Target, { routes }: HttpOptions): boolean =>
  method === "OPTIONS" ||
  routes.some((route) => route.open === true && route.method === method && route.path === path);

/** No program that the service has started acts for the person, with or without a token. */
async function checkNoOwnChild({ socket }: IncomingMessage): Promise<void> {
  if (!(await isFromOwnChild(socket))) return;
  const message =
    "Programs that this service has started may not use it: no plugin, tool or command acts for a person. " +
    "Run the command in a terminal of your own.";
  throw fault("remote_not_allowed", message);
}

function targetOf({ method = "", url = "" }: IncomingMessage): Target {
  const [path = ""] = url.split("?", 1);
  return { method: method === "HEAD" ? "GET" : method, path: path.replace(/(?<=.)\/$/, "") };
}

const needsToken = "A valid token is required: Authorization: Bearer <token>.";
const otherAccount =
  "This service belongs to another account of this computer. Use it from that account, or let every " +
  "account of this computer use it with auth.loopback: none in its settings.";

/** The caller whom a token names; undefined without a valid one. */
function authenticated(
  { headers }: IncomingMessage,
  target: Target,
  address: string,
  { authenticate }: HttpOptions,
): Promise<Caller | undefined> {
  const texts = headers as Readonly<Record<string, string | undefined>>;
  return authenticate({ ...target, headers: texts, address });
}

/** Whether a token would count: where one is needed, and the owner's own where the account is known. */
function countsToken(
  { headers }: IncomingMessage,
  isOpenCall: boolean,
  { preference }: HttpOptions,
): boolean {
  if (!isOpenCall) return true;
  const hasToken = headers.authorization !== undefined || headers["x-api-key"] !== undefined;
  return hasToken && preference("auth.loopback") === "same-user";
}

/**
 * Identifies the caller before the body is read. The owner's requests on this computer need a valid Host
 * header, all others a token. Throws AppError.
 */
export async function admit(
  request: IncomingMessage,
  response: ServerResponse,
  options: HttpOptions,
): Promise<Caller> {
  checkForm(request);
  const address = canonical(request.socket.remoteAddress ?? "unknown");
  if (isLoopback(address)) await checkNoOwnChild(request);
  const local = isLocal(request, address, options);
  const target = targetOf(request);
  const open = isOpen(target, options) || (local && (await isOwner(request, options)));
  if (local && open) checkPage(request, options);
  checkOrigin(request, response, options);
  if (countsToken(request, open, options)) {
    const caller = await authenticated(request, target, address, options);
    if (caller !== undefined) return caller;
  }
  if (open) return { remote: !local, id: address };
  const isOtherAccount = local && options.preference("auth.loopback") === "same-user";
  throw fault("invalid_api_key", isOtherAccount ? otherAccount : needsToken);
}
