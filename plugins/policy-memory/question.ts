import { lastUserIndex, type ContentPart, type ModelCall } from "@pergola/sdk";

/**
 * Characters at each end of a long message that are asked with: the question stands before or behind what was
 * pasted.
 */
const end = 500;

const textOfParts = (parts: readonly ContentPart[]): string =>
  parts
    .filter((part) => part.type === "text")
    .map(({ text }) => text)
    .join("\n")
    .trim();

/** What memory is asked with: the newest user message's text. Empty where there is none. */
export function questionOf({ messages }: Pick<ModelCall, "messages">): string {
  const content = messages[lastUserIndex(messages)]?.content ?? "";
  const text = typeof content === "string" ? content.trim() : textOfParts(content);
  if (text.length <= 2 * end) return text;
  return `${text.slice(0, end)}\n${text.slice(-end)}`.replaceAll(/\p{Cs}/gu, "");
}
