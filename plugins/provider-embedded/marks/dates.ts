import type { Mark } from "./mark.ts";

const two = (value: number): string => String(value).padStart(2, "0");

/**
 * The dates in a text, as marks whose value is ISO 8601 without a zone: `2026-11-21`, or
 * `2026-11-21T15:00:00` when a time is named. `now` is the person's wall clock: the milliseconds since 1970
 * that would be right if they lived in UTC. The library is loaded at first use.
 */
export async function findDates(text: string, now: number): Promise<readonly Mark[]> {
  const { casual } = await import("chrono-node");
  return casual
    .parse(text, { instant: new Date(now), timezone: 0 }, { forwardDate: true })
    .map(({ index, text: piece, start }) => {
      const part = (name: Parameters<typeof start.get>[0]): number => start.get(name) ?? 0;
      const day = `${part("year")}-${two(part("month"))}-${two(part("day"))}`;
      const time = start.isCertain("hour") ? `T${two(part("hour"))}:${two(part("minute"))}:00` : "";
      return { kind: "date", value: day + time, start: index, end: index + piece.length };
    });
}
