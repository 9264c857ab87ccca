import { isObject, listOf, parsed, textOf, type Fields } from "./values.ts";

export interface Failure {
  /** The HTTP status it stands for. */
  readonly status: number | undefined;
  readonly message: string;
  /** Whole seconds after which to try again. */
  readonly retryAfter: number | undefined;
}

const longest = 4096;

/** A page's words, without its markup. */
const plain = (text: string): string =>
  text
    .slice(0, longest)
    .replaceAll(/<[^<>]*>/g, " ")
    .trim();

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

/** What a failed answer's body says: Google's error object, alone or in a list, a web page, or plain text. */
export function readFailure(body: unknown): Failure {
  if (typeof body === "string") {
    const value = parsed(body);
    return typeof value === "object" && value !== null
      ? readFailure(value)
      : { status: undefined, message: plain(body), retryAfter: undefined };
  }
  if (Array.isArray(body)) return readFailure((body as readonly unknown[])[0] ?? "");
  const error = isObject(body) && isObject(body["error"]) ? body["error"] : body;
  if (!isObject(error)) return { status: undefined, message: "", retryAfter: undefined };
  const message = textOf(error["message"]) || textOf(error["error"]) || JSON.stringify(error).slice(0, longest);
  return { status: statusOf(error), message, retryAfter: retryAfterOf(listOf(error["details"])) };
}
