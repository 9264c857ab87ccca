/** A text as a pattern that matches it and nothing else. */
export const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
