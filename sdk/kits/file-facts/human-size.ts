const units = ["B", "KB", "MB", "GB", "TB", "PB"];

/** Bytes in the largest unit, of 1024, that leaves a whole number: `812 B`, `1.5 KB`. */
export function humanSize(bytes: number): string {
  const power = Math.floor(Math.log2(Math.max(1, bytes)) / 10);
  const index = Math.min(power, units.length - 1);
  return `${Number((bytes / 1024 ** index).toFixed(1))} ${units[index]}`;
}
