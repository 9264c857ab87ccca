import type { AppError } from "@pergola/sdk";

/** The format's types of errors by HTTP status. */
const types: Readonly<Record<number, string>> = {
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  503: "overloaded_error",
  504: "timeout_error",
};

const typeOf = (status: number): string =>
  types[status] ?? (status >= 500 ? "api_error" : "invalid_request_error");

const tooLong = "prompt is too long";

/** The format has no code for it: clients that shorten a history, and ask again, go by these words. */
function messageOf({ message, code }: AppError): string {
  if (code !== "context_length_exceeded" || message.includes(tooLong)) return message;
  return `${tooLong}: ${message}`;
}

/** A failure as the format tells it, with the service's own code, and the field at fault. */
export function wireFailure(error: AppError, requestId: string): object {
  const { status, code, param, details } = error;
  return {
    type: "error",
    error: { type: typeOf(status), message: messageOf(error), code, param: param || undefined, details },
    request_id: requestId,
  };
}
