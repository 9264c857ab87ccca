import type { IncomingMessage, ServerResponse } from "node:http";
import type { Caller } from "@pergola/sdk";
import { fault } from "./error-response.ts";
import type { HttpOptions } from "./options.ts";

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

/** An IPv4 address stays one when it comes over IPv6. */
const canonical = (address: string): string => address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, "");

function checkForm({ rawHeaders, url = "" }: IncomingMessage): void {
  const hosts = rawHeaders.filter(
    (name, index) => index % 2 === 0 && name.length === 4 && name.toLowerCase() === "host",
  );
  if (hosts.length !== 1) throw fault("invalid_value", "A request has exactly one Host header.");
  if (!url.startsWith("/")) throw fault("invalid_value", "The target of a request is a path.");
}

/** Echoes an allowed origin. A page of another program on this computer is a stranger like any other. */
function checkOrigin(
  { headers: { origin }, socket }: IncomingMessage,
  response: ServerResponse,
  { preference }: HttpOptions,
): void {
  if (origin === undefined) return;
  const own = ownOrigin.exec(origin);
  const isOwn = own !== null && Number(own[1] ?? 80) === socket.localPort;
  const message = `Pages of ${origin} may not use this service. To let them, add it to server.allowed_origins.`;
  if (!isOwn && !preference<string[]>("server.allowed_origins").includes(origin))
    throw fault("forbidden_origin", message);
  response.setHeader("Access-Control-Allow-Origin", origin);
  for (const [name, value] of Object.entries(corsHeaders)) response.setHeader(name, value);
}

/** Against pages that reach this computer under a name of their own, or do not say where they come from. */
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
  const isStrange = headers.origin === undefined && headers["sec-fetch-site"] === "cross-site";
  if (isStrange)
    throw fault(
      "forbidden_origin",
      "Pages of other sites may not use this service; see server.allowed_origins.",
    );
}

/** On this computer, and not a proxy that speaks for somebody else, unless it is trusted. */
function isLocal({ headers }: IncomingMessage, address: string, { preference }: HttpOptions): boolean {
  if (!/^(127\.|::1$)/.test(address)) return false;
  if (headers.forwarded === undefined && headers["x-forwarded-for"] === undefined) return true;
  return preference<string[]>("server.trusted_proxies").some((proxy) => canonical(proxy) === address);
}

/**
 * Says whose a request is, before its body is read, or throws AppError: callers on this computer need a good
 * Host, all others a token.
 */
export async function admit(
  request: IncomingMessage,
  response: ServerResponse,
  options: HttpOptions,
): Promise<Caller> {
  checkForm(request);
  const address = canonical(request.socket.remoteAddress ?? "unknown");
  const local = isLocal(request, address, options);
  const method = request.method === "HEAD" ? "GET" : (request.method ?? "");
  const path = request.url?.split("?", 1)[0]?.replace(/(?<=.)\/$/, "") ?? "";
  const free = method === "OPTIONS" || (local && options.preference("auth.loopback") !== "token");
  const open =
    free ||
    options.routes.some((route) => route.open === true && route.method === method && route.path === path);
  if (local && open) checkPage(request, options);
  checkOrigin(request, response, options);
  if (open) return { remote: !local, id: address };
  const headers = request.headers as Readonly<Record<string, string | undefined>>;
  const caller = await options.authenticate({ method, path, headers, address });
  if (caller === undefined)
    throw fault("invalid_api_key", "This needs a valid token: Authorization: Bearer <token>.");
  return caller;
}
