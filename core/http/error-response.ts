import type { ServerResponse } from "node:http";
import { AppError, type Log, type Route } from "@pergola/sdk";
import type { AppErrorDetails } from "@pergola/sdk/host";

export const fault = (code: string, message: string, more: Partial<AppErrorDetails> = {}): AppError =>
  new AppError({ code, message, ...more });

export const errorText = ({ message, type, code, param, details }: AppError): string =>
  JSON.stringify({ error: { message, type, code, param: param || undefined, details } });

/**
 * What a client may be told. Anything but an AppError is a fault of the service: it goes into the log, not
 * into the answer.
 */
function told(error: unknown, id: string, log: Log): AppError {
  if (AppError.is(error)) return error;
  if (error instanceof URIError && "status" in error)
    return fault("invalid_value", "The path is not correctly encoded.");
  log.error({ requestId: id, error }, "a request failed unexpectedly");
  return fault("internal_error", `The service failed. Its log has the details under the request id ${id}.`, {
    cause: error,
  });
}

/** Answers with an error, in the route's own shape if it has one. An answer that has begun is cut off. */
export function sendError(
  cause: unknown,
  response: ServerResponse,
  id: string,
  log: Log,
  shape?: Route["failure"],
): void {
  if (response.destroyed) return;
  const error = told(cause, id, log);
  if (response.headersSent) return void response.destroy();
  const { status, retryAfter = 5 } = error;
  if (status === 401) response.setHeader("WWW-Authenticate", "Bearer");
  if (status === 429 || status === 503) response.setHeader("Retry-After", Math.max(1, Math.ceil(retryAfter)));
  if (status === 413) response.setHeader("Connection", "close");
  const text = shape === undefined ? errorText(error) : JSON.stringify(shape(error, id));
  response
    .writeHead(status, {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Length": Buffer.byteLength(text),
    })
    .end(text);
}
