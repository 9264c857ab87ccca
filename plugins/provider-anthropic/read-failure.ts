import { isObject, stringOf, type AnswerPart, type FailureDetails } from "@pergola/sdk";
import { errorText } from "@pergola/kit-provider";

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

/** Reads an error object: the format's own, or a gateway's. */
export function readFailure(body: AnswerPart): FailureDetails {
  const error = body["error"] ?? body;
  if (!isObject(error)) return { message: stringOf(error) };
  return { status: statuses[stringOf(error["type"])], message: errorText(error, "message", "detail") };
}
