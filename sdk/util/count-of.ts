/** A number with its noun, as in "1 file", "3 files" or, with a plural of its own, "2 entries". */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
