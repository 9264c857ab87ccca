import type ICAL from "ical.js";
import { basicTime, type Stamp } from "../time/stamp.ts";
import { day, type Zone } from "../time/zone.ts";

/** A rule whose UNTIL is in the same local time as its start. A date stands for the whole day. */
function withLocalEnd(rule: string, zone: Zone): string {
  const until = /UNTIL=(\d{8})(?:T(\d{6})(Z?))?/i;
  const [text, date, time = "235959", isUtc] = until.exec(rule) ?? [];
  if (text === undefined || date === undefined) return rule;
  const [year = 0, month = 1, ...rest] = [...(date + time).matchAll(/^\d{4}|\d\d/g)].map(Number);
  const end = Date.UTC(year, month - 1, ...rest);
  return rule.replace(text, `UNTIL=${basicTime(isUtc ? zone.toLocal(end) : end)}`);
}

/**
 * The starts between two local times that the rules of a series produce, in local time. rrule-temporal goes
 * straight to the range and throws after 10,000 steps in it, so a rule that never matches fails quickly.
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
    const rruleString = `DTSTART:${basicTime(start.local)}\nRRULE:${withLocalEnd(rule, start.zone)}`;
    const found = new RRuleTemporal({ rruleString }).between(
      new Date(Math.max(from, start.local) - day),
      new Date(to),
      true,
    );
    return found.map(({ epochMilliseconds }) => epochMilliseconds).filter((local) => local >= start.local);
  });
}
