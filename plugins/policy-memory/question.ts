import { lastUserIndex, type ModelCall } from "@pergola/sdk";

/**
 * Characters at each end of a long message that are asked with: the question stands before or behind what was
 * pasted.
 */
const end = 500;

/** What memory is asked with: the newest user message's text. Empty where there is none. */
export function questionOf({ messages }: Pick<ModelCall, "messages">): string {
  const content = messages[lastUserIndex(messages)]?.content ?? "";
  const parts =
    typeof content === "string"
      ? [content]
      : content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const text = parts.join("\n").trim();
  return text.length <= 2 * end
    ? text
    : `${text.slice(0, end)}\n${text.slice(-end)}`.replaceAll(/\p{Cs}/gu, "");
}
