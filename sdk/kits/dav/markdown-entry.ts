/**
 * The text on one line. Texts from calendars and cards are foreign: with line breaks they could pretend to be
 * further entries.
 */
export const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, " ").trim();

/** An entry in Markdown: a heading, and a list item for each field that has a value. */
export function markdownEntry(title: string, fields: Readonly<Record<string, string | undefined>>): string {
  const lines = Object.entries(fields)
    .map(([label, value = ""]) => [label, oneLine(value)] as const)
    .filter(([, value]) => value !== "")
    .map(([label, value]) => `- ${label}: ${value}`);
  return [`### ${oneLine(title)}`, ...lines].join("\n");
}
