import type { ServerResponse } from "node:http";
import { AppError, stringOf, type Log, type Route } from "@pergola/sdk";
import { fault } from "../fault.ts";

export const errorText = ({ message, type, code, param, details }: AppError): string =>
  JSON.stringify({ error: { message, type, code, param: param || undefined, details } });

/**
 * The error as a client may see it. Anything but an AppError is a fault of the service: its details go into
 * the log, not into the answer.
 */
function publicError(error: unknown, id: string, log: Log): AppError {
  if (AppError.is(error)) return error;
  if (error instanceof URIError && "status" in error)
    return fault("invalid_value", "The path is not correctly encoded.");
  log.error({ requestId: id, error }, "a request failed unexpectedly");
  const message = `The service failed. Its log has the details under the request id ${id}.`;
  return fault("internal_error", message, { cause: error });
}

interface ErrorContext {
  /** The request's id. */
  readonly id: string;
  readonly log: Log;
  /** What a 401 says of how to be let in. */
  readonly challenge: string;
  /** The route's own form of errors. */
  readonly shape: Route["failure"];
}

/** What of a token did not suffice; an error of a provider's may have the code without it. */
const scopeOf = ({ details }: AppError): string => stringOf(details?.["scope"]);

/** Milliseconds for which the rest of a body that is too large is read and thrown away. */
const restTime = 2000;

/**
 * Ends an answer when its client has sent all, or after a while. A connection that is closed while bytes
 * arrive is reset, and who is still sending, or hands the request on, never sees the answer.
 */
function endAfterBody(response: ServerResponse, text: string): void {
  const { req: request } = response;
  if (request.complete) return void response.end(text);
  response.write(text);
  const end = (): void => void response.end();
  const timer = setTimeout(end, restTime).unref();
  response.once("close", () => clearTimeout(timer));
  request.removeAllListeners("data").once("end", end).resume();
}

/** Answers with an error, in the route's own shape if it has one. Cuts off an answer that has begun. */
export function sendError(cause: unknown, response: ServerResponse, context: ErrorContext): void {
  if (response.destroyed) return;
  const { id, log, challenge, shape } = context;
  const error = publicError(cause, id, log);
  if (response.headersSent) return void response.destroy();
  const { status, retryAfter = 5 } = error;
  if (error.code === "insufficient_scope")
    response.setHeader("WWW-Authenticate", `Bearer error="insufficient_scope", scope="${scopeOf(error)}"`);
  if (status === 401) response.setHeader("WWW-Authenticate", challenge);
  if (status === 429 || status === 503) response.setHeader("Retry-After", Math.max(1, Math.ceil(retryAfter)));
  if (status === 413) response.setHeader("Connection", "close");
  const shaped = shape?.(error, id);
  const text = shaped === undefined ? errorText(error) : JSON.stringify(shaped);
  const headers = {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(text),
  };
  response.writeHead(status, headers);
  if (status === 413) return endAfterBody(response, text);
  response.end(text);
}
