import { AppError } from "../contract/errors.ts";
import { visibleText } from "../util/visible-text.ts";

const codes: Readonly<Record<number, string>> = {
  401: "provider_auth_failed",
  403: "provider_auth_failed",
  408: "provider_timeout",
  429: "provider_rate_limited",
  504: "provider_timeout",
};

const overflow =
  /context.{0,20}(length|window|size|limit)|prompt is too long|too many tokens|maximum.{0,30}tokens/i;

function codeOf(status: number, text: string): string {
  if (status === 400 && overflow.test(text)) return "context_length_exceeded";
  const code = codes[status];
  if (code === undefined && status >= 400 && status < 500) return "provider_rejected";
  return code ?? "provider_error";
}

/**
 * The error for a provider's HTTP answer: 429 → `provider_rate_limited`, 401 and 403 →
 * `provider_auth_failed`, a context overflow → `context_length_exceeded`, other 4xx → `provider_rejected`,
 * the rest → `provider_error`. `details.status` keeps the status, so that the host knows what to retry;
 * `text` is the provider's own message, one line of it is
 * shown, with signs for characters that nobody sees.
 */
export function providerFailure(
  provider: string,
  status: number,
  text: string,
  retryAfter?: number,
): AppError {
  const excerpt = visibleText(text).replaceAll(/\s+/g, " ").trim().slice(0, 300);
  const message = [`${provider} answered ${status}`, excerpt].filter(Boolean).join(": ");
  return new AppError({ code: codeOf(status, text), message, details: { status }, retryAfter });
}
