import { isObject, stringOf, type AnswerPart, type FailureDetails } from "@pergola/sdk";
import { readCount, errorStatus, errorText, objectsOf, type Fields } from "@pergola/kit-provider";

/** Seconds to wait by `google.rpc.RetryInfo`, whose `retryDelay` is a text such as `34.4s`. */
function retryAfterOf(details: readonly Fields[]): number | undefined {
  const info = details.find((detail) => stringOf(detail["@type"]).endsWith("RetryInfo"));
  const [, seconds] = /^(\d+(?:\.\d+)?)s$/.exec(stringOf(info?.["retryDelay"])) ?? [];
  return readCount(seconds && Math.ceil(Number(seconds)));
}

/** A wrong key is refused with 400. */
const isKeyRefused = (details: readonly Fields[], message: string): boolean =>
  details.some(({ reason }) => reason === "API_KEY_INVALID") || message.startsWith("API key not valid");

/** Reads Google's error object. */
export function readFailure(body: AnswerPart): FailureDetails {
  const error = isObject(body["error"]) ? body["error"] : body;
  const details = objectsOf(error["details"]);
  const message = errorText(error, "message", "error");
  return {
    status: isKeyRefused(details, message) ? 401 : errorStatus(error["code"]),
    message,
    retryAfter: retryAfterOf(details),
  };
}
