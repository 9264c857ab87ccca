import type { ToldFailure } from "@pergola/sdk";
import type { Fields } from "./format.ts";

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

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

const longest = 4096;

function statusOf({ code, status, type }: Fields): number {
  const told = [code, status]
    .map(Number)
    .find((value) => Number.isInteger(value) && value >= 400 && value < 600);
  return told ?? statuses[textOf(code)] ?? statuses[textOf(type)] ?? 500;
}

/** The words of an error object, with its code where the words do not say it. */
function describe(error: Fields): string {
  const words =
    textOf(error["message"]) ||
    textOf(error["detail"]) ||
    textOf(error["msg"]) ||
    JSON.stringify(error).slice(0, longest);
  const code = textOf(error["code"]);
  return code === "" || words.includes(code) ? words : `${words} (${code})`;
}

/** What the error object of any vendor says. */
export function readFailure(told: Fields): ToldFailure {
  const { error, base_resp: base } = told;
  if (typeof error === "string") return { status: statusOf(told), message: error };
  if (isObject(error)) return { status: statusOf(error), message: describe(error) };
  if (isObject(base))
    return {
      status: minimaxStatuses[Number(base["status_code"])] ?? 500,
      message: textOf(base["status_msg"]),
    };
  return { status: statusOf(told), message: describe(told) };
}

/** Whether a chunk is an error and not a part of an answer. */
export function isFailure(chunk: Fields): boolean {
  const { error, base_resp: base } = chunk;
  if (error !== undefined && error !== null && error !== "") return true;
  return isObject(base) && typeof base["status_code"] === "number" && base["status_code"] !== 0;
}
