/** A text with its examples below it, one a line. */
export const withExamples = (text: string, examples: readonly string[]): string =>
  examples.length === 0 ? text : [text, "Examples:", ...examples.map((example) => `- ${example}`)].join("\n");
