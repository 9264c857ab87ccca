import type ICAL from "ical.js";
import type { Stamp } from "../time/stamp.ts";
import { day, type Zone } from "../time/zone.ts";

const basic = (time: number): string =>
  `${new Date(time)
    .toISOString()
    .replace(/[-:]|\.\d+/g, "")
    .slice(0, 15)}Z`;

/** A rule's UNTIL on the same clocks as its start. A date means the whole day. */
function withLocalEnd(rule: string, zone: Zone): string {
  return rule.replace(
    /UNTIL=(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?/i,
    (_, year, month, date, hour, minute, second, isUtc) => {
      const [y, m, d, h, min, s] = [year, month, date, hour ?? 23, minute ?? 59, second ?? 59].map(
        Number,
      ) as [number, number, number, number, number, number];
      const time = Date.UTC(y, m - 1, d, h, min, s);
      return `UNTIL=${basic(isUtc === "Z" ? zone.toLocal(time) : time)}`;
    },
  );
}

/**
 * The wall-clock starts between two wall-clock times that the rules of a series give. rrule-temporal follows
 * the rules: it goes straight to the range and gives up (it throws) after 10,000 steps in it, so that a rule
 * that never matches costs no more than a moment.
 */
export async function repeatsOf(
  component: ICAL.Component,
  start: Stamp,
  from: number,
  to: number,
): Promise<readonly number[]> {
  const rules = component.getAllProperties("rrule").map((property) => String(property.getFirstValue()));
  if (rules.length === 0 || to < start.local) return [];
  const { RRuleTemporal } = await import("rrule-temporal");
  return rules.flatMap((rule) => {
    const rruleString = `DTSTART:${basic(start.local)}\nRRULE:${withLocalEnd(rule, start.zone)}`;
    const found = new RRuleTemporal({ rruleString }).between(
      new Date(Math.max(from, start.local) - day),
      new Date(to),
      true,
    );
    return found.map(({ epochMilliseconds }) => epochMilliseconds).filter((local) => local >= start.local);
  });
}
