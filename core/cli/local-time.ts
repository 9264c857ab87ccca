/** A time of the service in this computer's own zone: `2026-01-31 09:05`. */
export const localTime = (time: string): string => new Date(time).toLocaleString("sv-SE").slice(0, 16);

/** When something ends: `until 2026-01-31 09:05`, or `for ever`. */
export const untilText = (end: string | null): string =>
  end === null ? "for ever" : `until ${localTime(end)}`;
