/** Permission bits as three or four octal digits: `644`, `4755`. */
export const permissions = (mode: number): string => (mode & 0o7777).toString(8).padStart(3, "0");

/** A moment in milliseconds since 1970 as ISO 8601 in UTC. */
export const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString();

const units = ["B", "KB", "MB", "GB"];

/** Bytes in the largest unit, of 1024, that leaves a whole number: `812 B`, `1.5 KB`. */
export function humanSize(bytes: number): string {
  const power = Math.min(units.length - 1, bytes === 0 ? 0 : Math.floor(Math.log2(bytes) / 10));
  return `${Number((bytes / 1024 ** power).toFixed(1))} ${units[power] ?? "B"}`;
}
