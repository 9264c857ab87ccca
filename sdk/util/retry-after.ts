import type { Clock } from "../contract/clock.ts";

/** Whole seconds of a Retry-After header (RFC 9110 section 10.2.3): a number of them, or a date. */
export function retryAfterOf(header: string | null | undefined, clock: Clock): number | undefined {
  if (header === null || header === undefined || header.trim() === "") return undefined;
  const seconds = Number(header);
  const wait = Number.isNaN(seconds) ? (Date.parse(header) - clock.now()) / 1000 : seconds;
  if (!Number.isFinite(wait)) return undefined;
  return Math.max(0, Math.ceil(wait));
}
