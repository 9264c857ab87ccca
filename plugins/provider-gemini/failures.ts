import { AppError, providerFailure, type Clock, type ProviderResponse, type ProviderSettings } from "@pergola/sdk";
import { readFailure } from "./read-failure.ts";

const hidden = "[redacted]";

/** The forms in which a server might echo a secret. */
const formsOf = (secret: string): readonly string[] => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString("base64"),
];

function secretsOf({ apiKey = "", headers }: ProviderSettings): readonly string[] {
  const values = [apiKey, ...Object.values(headers).filter((value) => value.length >= 8)];
  return [...new Set(values.flatMap(formsOf))].filter((form) => form !== "").toSorted((a, b) => b.length - a.length);
}

/** Whole seconds of a Retry-After header (RFC 9110 section 10.2.3): a number of them, or a date. */
function retryAfterOf(header: string | undefined, clock: Clock): number | undefined {
  if (header === undefined || header.trim() === "") return undefined;
  const seconds = Number(header);
  const wait = Number.isNaN(seconds) ? (Date.parse(header) - clock.now()) / 1000 : seconds;
  return Number.isFinite(wait) ? Math.max(0, Math.ceil(wait)) : undefined;
}

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

  /** An HTTP answer that is not 2xx. How long to wait stands in the body, or in a header as elsewhere. */
  async answered(response: ProviderResponse): Promise<AppError> {
    const { status, message, retryAfter } = readFailure(await response.text().catch(() => ""));
    const wait = retryAfter ?? retryAfterOf(response.header("retry-after"), this.#clock);
    return providerFailure(this.#name, response.status === 400 && status === 401 ? 401 : response.status, this.#clean(message), wait);
  }

  /** An error object inside an answer that began well. */
  told(body: unknown): AppError {
    const { status, message, retryAfter } = readFailure(body);
    return providerFailure(this.#name, status ?? 500, this.#clean(message), retryAfter);
  }

  /** The model ended in a way that gives no answer; it may do better when it is asked again. */
  unfinished(reason: string, message: string): AppError {
    return this.#unusable(`did not finish: ${reason}${message === "" ? "" : ` (${this.#clean(message).slice(0, 200)})`}`);
  }

  /** The connection could not be made, or broke. Errors that the door made are handed on. */
  broken(cause: unknown): AppError {
    return AppError.is(cause) ? cause : this.#unusable("could not be reached, or broke off", cause);
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
    return new AppError({
      code: "provider_auth_failed",
      message: `${this.#name} needs a key. Set its api_key, or the variable GEMINI_API_KEY.`,
    });
  }

  #unusable(what: string, cause?: unknown): AppError {
    const message = `${this.#name} ${what}`;
    return new AppError({ code: "provider_error", message, details: { retryable: true }, ...(cause === undefined ? {} : { cause }) });
  }

  #clean(text: string): string {
    return this.#secrets.reduce((cleaned, secret) => cleaned.replaceAll(secret, hidden), text);
  }
}
