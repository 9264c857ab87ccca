import type { AnswerPart, ToldFailure } from "@pergola/sdk";

const isObject = (value: unknown): value is AnswerPart => typeof value === "object" && value !== null;
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** The format's types of errors; an error inside a stream has no other status. */
const statuses: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  conflict_error: 409,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

const longest = 4096;

/** What an error says: the format's own, or a gateway's. */
export function readFailure(told: AnswerPart): ToldFailure {
  const error = told["error"] ?? told;
  if (!isObject(error)) return { message: textOf(error) };
  const message =
    textOf(error["message"]) || textOf(error["detail"]) || JSON.stringify(error).slice(0, longest);
  const status = statuses[textOf(error["type"])];
  return { message, ...(status === undefined ? {} : { status }) };
}
