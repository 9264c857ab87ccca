/** A text with its examples below it, one a line. */
export function withExamples(text: string, examples: readonly string[]): string {
  if (examples.length === 0) return text;
  return [text, "Examples:", ...examples.map((example) => `- ${example}`)].join("\n");
}
