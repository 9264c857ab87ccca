import type { IncomingMessage, ServerResponse } from "node:http";

const methods = "GET, POST, PUT, PATCH, DELETE, OPTIONS";

const requestHeaders = [
  "Accept",
  "Authorization",
  "Content-Type",
  "Last-Event-ID",
  "X-Requested-With",
  "X-Request-Id",
  "X-Session-Id",
  "X-API-Key",
  "X-CSRF-Token",
  "traceparent",
];

/**
 * Headers that the common client libraries add. A list of allowed headers has no wildcards for requests with
 * credentials, so those that a preflight asks for are named back to it.
 */
const clientHeaders = [
  /^(?:openai|x-stainless|anthropic|mcp)-[a-z0-9-]+$/i,
  // Libraries name themselves in it, and Firefox and Safari let them.
  /^(?:x-speakeasy-)?user-agent$/i,
  // The name and the address of an app, as OpenRouter takes them: apps send them to every server.
  /^(?:http-referer|x-title)$/i,
  // What traces the requests of a page adds them to all.
  /^(?:tracestate|baggage|sentry-trace)$/i,
];

const exposedHeaders = [
  "X-Conversation-Id",
  "X-Run-Id",
  "X-Request-Id",
  "Request-Id",
  "Retry-After",
  "RateLimit-Limit",
  "RateLimit-Remaining",
  "RateLimit-Reset",
  "Mcp-Session-Id",
];

/** The headers that a page may send: the fixed ones, and the clients' own that this preflight asks for. */
function allowedHeaders({ headers }: IncomingMessage): string {
  const { "access-control-request-headers": text = "" } = headers;
  const requested = text.split(",").map((name) => name.trim());
  const known = requested.filter((name) => clientHeaders.some((form) => form.test(name)));
  return [...requestHeaders, ...known].join(", ");
}

/** Lets a page of this origin send the request and read the answer. */
export function allowOrigin(request: IncomingMessage, response: ServerResponse, origin: string): void {
  const headers = {
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Allow-Credentials": "true",
    "Access-Control-Allow-Methods": methods,
    "Access-Control-Allow-Headers": allowedHeaders(request),
    "Access-Control-Expose-Headers": exposedHeaders.join(", "),
    "Access-Control-Max-Age": "3600",
  };
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}
