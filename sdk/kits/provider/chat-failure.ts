import { isObject, stringOf, type FailureDetails } from "@pergola/sdk";
import type { Fields } from "./json-values.ts";
import { errorStatus, errorText } from "./read-error.ts";

/** Codes and types of error objects that come without an HTTP status. */
const statuses: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  context_length_exceeded: 400,
  invalid_api_key: 401,
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  model_not_found: 404,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  insufficient_quota: 429,
  overloaded_error: 503,
  timeout: 504,
};

/** MiniMax, `base_resp.status_code`. */
const minimaxStatuses: Readonly<Record<string, number>> = {
  1001: 504,
  1002: 429,
  1004: 401,
  1008: 402,
  1026: 400,
  1027: 400,
  2013: 400,
  2049: 401,
};

function statusOf({ code, status, type }: Fields): number {
  const http = errorStatus(code) ?? errorStatus(status);
  return http ?? statuses[stringOf(code)] ?? statuses[stringOf(type)] ?? 500;
}

/** The message, with the error's code where the message does not name it. */
function describe(error: Fields): string {
  const message = errorText(error, "message", "detail", "msg");
  const code = stringOf(error["code"]);
  return message.includes(code) ? message : `${message} (${code})`;
}

/** Reads the error object of any vendor that speaks the chat-completions format. */
export function readChatFailure(body: Fields): FailureDetails {
  const { error, base_resp: base } = body;
  if (typeof error === "string") return { status: statusOf(body), message: error };
  if (isObject(error)) return { status: statusOf(error), message: describe(error) };
  if (!isObject(base)) return { status: statusOf(body), message: describe(body) };
  return {
    status: minimaxStatuses[Number(base["status_code"])] ?? 500,
    message: stringOf(base["status_msg"]),
  };
}

/** True for a chunk that is an error and no part of an answer. */
export function isChatFailure({ error, base_resp: base }: Fields): boolean {
  if (error !== undefined && error !== null && error !== "") return true;
  return isObject(base) && typeof base["status_code"] === "number" && base["status_code"] !== 0;
}
