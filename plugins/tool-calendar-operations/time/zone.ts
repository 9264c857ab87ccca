/** A time zone. Instants are milliseconds since 1970; local times are milliseconds as if they were UTC. */
export interface Zone {
  readonly name: string;
  toLocal(instant: number): number;
  /**
   * A skipped local time is read with the offset before the change, a repeated one stands for the first (RFC
   * 5545, section 3.3.5).
   */
  toInstant(local: number): number;
}

export const day = 86_400_000;

export const utc: Zone = { name: "UTC", toLocal: (instant) => instant, toInstant: (local) => local };

const known = new Map<string, Zone | undefined>();

function wallClock(name: string): (instant: number) => number {
  const numeric = "numeric";
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: name,
    calendar: "gregory",
    hourCycle: "h23",
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  });
  return (instant) => {
    const part = Object.fromEntries(
      format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]),
    );
    const { year = 0, month = 1, day: date = 1, hour = 0, minute = 0, second = 0 } = part;
    return Date.UTC(year, month - 1, date, hour, minute, second) + (((instant % 1000) + 1000) % 1000);
  };
}

function zoneOf(name: string): Zone | undefined {
  try {
    const toLocal = wallClock(name);
    const toInstant = (local: number): number => {
      const offsets = [local - day, local + day].map((near) => toLocal(near) - near);
      const right = offsets.find((offset) => toLocal(local - offset) === local);
      return local - (right ?? offsets[0] ?? 0);
    };
    return { name, toLocal, toInstant };
  } catch {
    return undefined;
  }
}

/** A zone by its IANA name. Some programs write a path before the name; it is ignored. */
export function zoneNamed(name: string): Zone | undefined {
  if (known.has(name)) return known.get(name);
  const parts = name.split("/");
  const names = [name, parts.slice(-3).join("/"), parts.slice(-2).join("/")];
  const found = names
    .filter((candidate) => /^[a-z]/i.test(candidate))
    .map(zoneOf)
    .find((zone) => zone !== undefined);
  if (known.size < 1000) known.set(name, found);
  return found;
}
