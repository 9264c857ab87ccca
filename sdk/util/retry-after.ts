/**
 * Whole seconds of a Retry-After header (RFC 9110 section 10.2.3): a number of them, or a date. `now`:
 * milliseconds since 1970.
 */
export function retryAfterOf(header: string | null | undefined, now: number): number | undefined {
  if (header === null || header === undefined || header.trim() === "") return undefined;
  const seconds = Number(header);
  const wait = Number.isNaN(seconds) ? (Date.parse(header) - now) / 1000 : seconds;
  if (!Number.isFinite(wait)) return undefined;
  return Math.max(0, Math.ceil(wait));
}
