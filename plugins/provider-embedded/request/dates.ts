/** A date in a text. */
export interface DateMark {
  /** ISO 8601 without a zone: `2026-11-21`, or `2026-11-21T15:00:00` when a time is named. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

const twoDigits = (value: number): string => String(value).padStart(2, "0");

/**
 * The dates in a text. `now` is the person's wall clock: the milliseconds since 1970 that would be right if
 * they lived in UTC. The library is loaded at first use.
 */
export async function findDates(text: string, now: number): Promise<readonly DateMark[]> {
  const { casual } = await import("chrono-node/en");
  return casual
    .parse(text, { instant: new Date(now), timezone: 0 }, { forwardDate: true })
    .map(({ index, text: piece, start }) => {
      const part = (name: Parameters<typeof start.get>[0]): number => start.get(name) ?? 0;
      const day = `${part("year")}-${twoDigits(part("month"))}-${twoDigits(part("day"))}`;
      const place = { start: index, end: index + piece.length };
      if (!start.isCertain("hour")) return { value: day, ...place };
      return { value: `${day}T${twoDigits(part("hour"))}:${twoDigits(part("minute"))}:00`, ...place };
    });
}
