import type { Clock } from "../contract/clock.ts";
import { AppError } from "../contract/errors.ts";
import { isObject } from "../util/is-object.ts";
import { parseJson } from "../util/parse-json.ts";
import { retryAfterOf } from "../util/retry-after.ts";
import { stringOf } from "../util/string-of.ts";
import { visibleText } from "../util/visible-text.ts";
import type { ProviderPreset, ProviderResponse, ProviderSettings } from "../contract/provider.ts";
import type { AnswerPart } from "./part-reader.ts";
import { providerFailure } from "./provider-failure.ts";

/** What a failed answer says. */
export interface FailureDetails {
  /** The HTTP status it stands for. */
  readonly status?: number | undefined;
  readonly message: string;
  /** Whole seconds after which to try again. */
  readonly retryAfter?: number | undefined;
}

/** Options of `ProviderFailures`. */
export interface FailureOptions {
  readonly clock: Clock;
  /**
   * Reads the format's error object: a failed answer's body, the first of a list, or an object from inside an
   * answer.
   */
  readonly read: (error: AnswerPart) => FailureDetails;
  /** Statuses of the vendor's own after which it may be asked again, as 529 of one that is overloaded. */
  readonly retryableStatuses?: readonly number[];
  /** The variable that customarily holds the key, or several. */
  readonly keyVariable?: ProviderPreset["keyVariable"];
}

const hidden = "[redacted]";

/** Characters of a body that is no error object. */
const longest = 4096;

/** Secrets that were learned and are still hidden. */
const remembered = 12;

/** The forms in which a server might echo a secret. */
const formsOf = (secret: string): readonly string[] => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString("base64"),
];

function secretsOf({ apiKey, headers }: ProviderSettings): readonly string[] {
  const values = [apiKey ?? "", ...Object.values(headers).flatMap((value) => [value, ...value.split(" ")])];
  return values.filter((value) => value.length >= 8 || value === apiKey);
}

/** The longest first: one may be a part of another. */
const formsToHide = (secrets: readonly string[]): readonly string[] =>
  [...new Set(secrets.flatMap(formsOf))]
    .filter((form) => form !== "")
    .toSorted((a, b) => b.length - a.length);

const withStop = (sentence: string): string => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`);

/** A page's words, without its markup. */
const plain = (text: string): string =>
  text
    .slice(0, longest)
    .replaceAll(/<[^<>]*>/g, " ")
    .trim();

const isTimeout = (error: unknown): boolean => {
  const { name, code } = (error ?? {}) as { readonly name?: unknown; readonly code?: unknown };
  return (
    name === "TimeoutError" || (typeof code === "string" && /^UND_ERR_(HEADERS|BODY)_TIMEOUT$/.test(code))
  );
};

/**
 * Makes one provider's errors. None of them holds its key or a secret header, whatever the other side echoes,
 * nor characters that nobody sees.
 */
export class ProviderFailures {
  readonly #name: string;
  readonly #options: FailureOptions;
  readonly #configured: readonly string[];
  #learned: readonly string[] = [];
  #secrets: readonly string[];

  constructor(settings: ProviderSettings, options: FailureOptions) {
    this.#options = options;
    this.#name = settings.name;
    this.#configured = secretsOf(settings);
    this.#secrets = formsToHide(this.#configured);
  }

  /** From now on these are secrets too; the newest ones, for those before them have ended. */
  hide(secrets: readonly string[]): void {
    this.#learned = [...new Set([...secrets, ...this.#learned])].slice(0, remembered);
    this.#secrets = formsToHide([...this.#configured, ...this.#learned]);
  }

  /** What a body says: text or JSON, an error object or a list of them, a web page. */
  read(body: unknown): FailureDetails {
    const text = stringOf(body);
    const [error] = [parseJson(text) ?? body].flat();
    if (isObject(error)) return this.#options.read(error);
    return { message: plain(text) };
  }

  /** An HTTP answer that is not 2xx. Some vendors refuse a wrong key with 400. */
  async fromResponse(response: ProviderResponse): Promise<AppError> {
    const details = this.read(await response.text().catch(() => ""));
    let { status } = response;
    if (status === 400 && details.status === 401) status = 401;
    const header = retryAfterOf(response.header("retry-after"), this.#options.clock.now());
    return this.#failure(status, details.message, details.retryAfter ?? header);
  }

  /** An error object inside an answer that began well. */
  fromBody(body: unknown, status?: number): AppError {
    const details = this.read(body);
    return this.#failure(status ?? details.status ?? 500, details.message, details.retryAfter);
  }

  /** The model ended in a way that gives no answer; it may do better when it is asked again. */
  unfinished(reason: string, message = ""): AppError {
    const detail = message && ` (${this.#clean(message).slice(0, 200)})`;
    return this.#unusable(`did not finish: ${reason}${detail}`);
  }

  /** The connection could not be made, or broke. Errors that the door made are handed on. */
  connectionFailed(cause: unknown): AppError {
    if (AppError.is(cause)) return cause;
    if (isTimeout(cause)) return this.#timeout("did not answer in time", cause);
    return this.#unusable("could not be reached, or broke off", cause);
  }

  /** No part of the answer was heard for too long. */
  timedOut(seconds: number): AppError {
    return this.#timeout(`sent no part of its answer for ${seconds} seconds`);
  }

  endedEarly(): AppError {
    return this.#unusable("did not finish: stream ended early");
  }

  /** Something that cannot be read as an answer; an excerpt of it is shown. */
  unreadable(what: string, text = ""): AppError {
    const excerpt = this.#clean(this.read(text).message).replaceAll(/\s+/g, " ").slice(0, 200);
    return this.#unusable([what, excerpt].filter(Boolean).join(": "));
  }

  /** The vendor does not let this account in, or not any more. */
  loginMissing(what: string): AppError {
    return new AppError({ code: "provider_auth_failed", message: `${this.#name} ${this.#clean(what)}` });
  }

  keyMissing(): AppError {
    return this.loginMissing(`needs a key. Set ${this.#keyPlaces()}.`);
  }

  /** Where its key may stand. */
  #keyPlaces(): string {
    const [keyVariable] = [this.#options.keyVariable ?? []].flat();
    return ["its api_key", keyVariable && `or the variable ${keyVariable}`].filter(Boolean).join(", ");
  }

  #failure(status: number, text: string, retryAfter: number | undefined): AppError {
    const failure = providerFailure(this.#name, status, this.#clean(text), retryAfter);
    if (failure.code === "provider_auth_failed")
      failure.message = `${withStop(failure.message)} Check ${this.#keyPlaces()}.`;
    if (this.#options.retryableStatuses?.includes(status) !== true) return failure;
    const { code, message } = failure;
    return new AppError({ code, message, details: { status, retryable: true }, retryAfter });
  }

  #timeout(what: string, cause?: unknown): AppError {
    return new AppError({ code: "provider_timeout", message: `${this.#name} ${what}.`, cause });
  }

  #unusable(what: string, cause?: unknown): AppError {
    const message = `${this.#name} ${what}`;
    return new AppError({
      code: "provider_error",
      message,
      details: { retryable: true },
      cause,
    });
  }

  #clean(text: string): string {
    return visibleText(this.#secrets.reduce((cleaned, secret) => cleaned.replaceAll(secret, hidden), text));
  }
}
