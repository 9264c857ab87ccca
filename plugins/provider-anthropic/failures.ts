import { AppError, providerFailure, type Clock, type ProviderResponse, type ProviderSettings } from "@pergola/sdk";
import { readFailure } from "./read-failure.ts";

const hidden = "[redacted]";
const overloaded = 529;

/** The forms in which a server might echo a secret. */
const formsOf = (secret: string): readonly string[] => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString("base64"),
];

function secretsOf({ apiKey, headers }: ProviderSettings): readonly string[] {
  const values = [apiKey ?? "", ...Object.values(headers).flatMap((value) => [value, ...value.split(" ")])];
  const forms = values.filter((value) => value.length >= 8 || value === apiKey).flatMap(formsOf);
  return [...new Set(forms)].filter((form) => form !== "").toSorted((a, b) => b.length - a.length);
}

/** Whole seconds of a Retry-After header (RFC 9110 section 10.2.3): a number of them, or a date. */
function retryAfterOf(header: string | undefined, clock: Clock): number | undefined {
  if (header === undefined || header.trim() === "") return undefined;
  const seconds = Number(header);
  const wait = Number.isNaN(seconds) ? (Date.parse(header) - clock.now()) / 1000 : seconds;
  return Number.isFinite(wait) ? Math.max(0, Math.ceil(wait)) : undefined;
}

const isTimeout = (error: unknown): boolean => {
  const { name, code } = (error ?? {}) as { readonly name?: unknown; readonly code?: unknown };
  return name === "TimeoutError" || (typeof code === "string" && /^UND_ERR_(HEADERS|BODY)_TIMEOUT$/.test(code));
};

/** Makes one provider's errors. None of them holds its key or a secret header, whatever the other side echoes. */
export class Failures {
  readonly #name: string;
  readonly #secrets: readonly string[];
  readonly #clock: Clock;

  constructor(settings: ProviderSettings, clock: Clock) {
    this.#name = settings.name;
    this.#secrets = secretsOf(settings);
    this.#clock = clock;
  }

  /** An HTTP answer that is not 2xx. */
  async answered(response: ProviderResponse): Promise<AppError> {
    const { message } = readFailure(await response.text().catch(() => ""));
    return this.#failure(response.status, message, retryAfterOf(response.header("retry-after"), this.#clock));
  }

  /** An error object inside an answer that began well. */
  told(body: unknown): AppError {
    const { status, message } = readFailure(body);
    return this.#failure(status, message);
  }

  /** The connection could not be made, or broke. Errors that the door made are handed on. */
  broken(cause: unknown): AppError {
    if (AppError.is(cause)) return cause;
    if (isTimeout(cause)) return new AppError({ code: "provider_timeout", message: `${this.#name} did not answer in time.`, cause });
    return this.#unusable("could not be reached, or broke off", cause);
  }

  /** No part of the answer was heard for too long. */
  silent(seconds: number): AppError {
    return new AppError({ code: "provider_timeout", message: `${this.#name} sent no part of its answer for ${seconds} seconds.` });
  }

  endedEarly(): AppError {
    return this.#unusable("did not finish: stream ended early");
  }

  /** Something that cannot be read as an answer; an excerpt of it is shown. */
  unreadable(what: string, text = ""): AppError {
    const excerpt = text === "" ? "" : `: ${this.#clean(readFailure(text).message).replaceAll(/\s+/g, " ").slice(0, 200)}`;
    return this.#unusable(`${what}${excerpt}`);
  }

  keyMissing(): AppError {
    const message = `${this.#name} needs a key. Set its api_key, or the variable ANTHROPIC_API_KEY.`;
    return new AppError({ code: "provider_auth_failed", message });
  }

  /** An overloaded service (529) lets hope like an unavailable one. */
  #failure(status: number, text: string, retryAfter?: number): AppError {
    const failure = providerFailure(this.#name, status, this.#clean(text), retryAfter);
    if (status !== overloaded) return failure;
    const { code, message } = failure;
    return new AppError({ code, message, details: { status, retryable: true }, ...(retryAfter === undefined ? {} : { retryAfter }) });
  }

  #unusable(what: string, cause?: unknown): AppError {
    const message = `${this.#name} ${what}`;
    return new AppError({ code: "provider_error", message, details: { retryable: true }, ...(cause === undefined ? {} : { cause }) });
  }

  #clean(text: string): string {
    return this.#secrets.reduce((cleaned, secret) => cleaned.replaceAll(secret, hidden), text);
  }
}
