import type { AnswerPart, ToldFailure } from "@pergola/sdk";
import { isObject, listOf, textOf, type Fields } from "./values.ts";

const longest = 4096;

/** `google.rpc.RetryInfo`: `"34.4s"`. */
function retryAfterOf(details: readonly unknown[]): number | undefined {
  const info = details.filter(isObject).find((detail) => textOf(detail["@type"]).endsWith("RetryInfo"));
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(textOf(info?.["retryDelay"]))?.[1];
  return seconds === undefined ? undefined : Math.ceil(Number(seconds));
}

/** A wrong key is refused with 400. */
const isKeyRefused = (error: Fields): boolean =>
  listOf(error["details"]).some((detail) => isObject(detail) && detail["reason"] === "API_KEY_INVALID") ||
  textOf(error["message"]).startsWith("API key not valid");

function statusOf(error: Fields): number | undefined {
  if (isKeyRefused(error)) return 401;
  const code = Number(error["code"]);
  return Number.isInteger(code) && code >= 400 && code < 600 ? code : undefined;
}

/** What Google's error object says. */
export function readFailure(told: AnswerPart): ToldFailure {
  const error = isObject(told["error"]) ? told["error"] : told;
  const message =
    textOf(error["message"]) || textOf(error["error"]) || JSON.stringify(error).slice(0, longest);
  return { status: statusOf(error), message, retryAfter: retryAfterOf(listOf(error["details"])) };
}
