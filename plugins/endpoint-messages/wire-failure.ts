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

/** A failure as the format tells it, with the service's own code, and the field at fault. */
export function wireFailure({ status, message, code, param, details }: AppError, requestId: string): object {
  return {
    type: "error",
    error: { type: typeOf(status), message, code, param: param || undefined, details },
    request_id: requestId,
  };
}
