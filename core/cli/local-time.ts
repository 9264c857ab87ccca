/** A time of the service in this computer's own zone, which it names: `2026-01-31 09:05 +01:00`. */
export function localTime(time: string): string {
  const date = new Date(time);
  const minutes = -date.getTimezoneOffset();
  const two = (value: number): string => String(Math.floor(Math.abs(value))).padStart(2, "0");
  const zone = `${minutes < 0 ? "-" : "+"}${two(minutes / 60)}:${two(minutes % 60)}`;
  return `${date.toLocaleString("sv-SE").slice(0, 16)} ${zone}`;
}

/** When something ends: `until 2026-01-31 09:05`, or `for ever`. */
export const untilText = (end: string | null): string =>
  end === null ? "for ever" : `until ${localTime(end)}`;
