type Fields = Readonly<Record<string, unknown>>;

export interface Failure {
  /** The HTTP status it stands for. */
  readonly status: number;
  readonly message: string;
}

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;
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

/** A page's words, without its markup. */
const plain = (text: string): string =>
  text
    .slice(0, longest)
    .replaceAll(/<[^<>]*>/g, " ")
    .trim();

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What a failed answer's body says: the format's error object, a gateway's, a web page, or plain text. */
export function readFailure(body: unknown): Failure {
  if (typeof body === "string") {
    const value = parsed(body);
    return isObject(value) ? readFailure(value) : { status: 500, message: plain(body) };
  }
  if (!isObject(body)) return { status: 500, message: "" };
  const error = body["error"] ?? body;
  if (!isObject(error)) return { status: 500, message: textOf(error) };
  const message = textOf(error["message"]) || textOf(error["detail"]) || JSON.stringify(error).slice(0, longest);
  return { status: statuses[textOf(error["type"])] ?? 500, message };
}
