const mark = "```";

/** An answer without the white space around it, and without one code fence that holds all of it. */
export function withoutFence(answer: string): string {
  const text = answer.trim();
  const begin = text.indexOf("\n");
  const isFenced =
    text.startsWith(mark) && text.endsWith(mark) && begin > 0 && begin < text.length - mark.length;
  if (!isFenced) return text;
  return text.slice(begin, -mark.length).trim();
}
