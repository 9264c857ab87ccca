/** Compares two texts for a sort, by their UTF-16 code units as `<` does; 0 when they are equal. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
