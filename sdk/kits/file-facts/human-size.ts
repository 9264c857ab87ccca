const units = ["B", "KB", "MB", "GB", "TB", "PB"];

/** Bytes in the largest unit, of 1024, that leaves a whole number: `812 B`, `1.5 KB`. */
export function humanSize(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${Number((bytes / 1024 ** power).toFixed(1))} ${units[power]}`;
}
