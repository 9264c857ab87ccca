import { lastUserIndex, type ContentPart, type ModelCall } from "@pergola/sdk";

/** A question to memory. */
export interface Question {
  readonly text: string;
  /** The W3C traceparent below which the spans of its vectors belong. */
  readonly trace?: string | undefined;
  /** Asked when something is about to be searched: whether its words alone decide. */
  wordsOnly(): Promise<boolean>;
}

/**
 * Characters at each end of a long message that are asked with: the question stands before or behind what was
 * pasted.
 */
const end = 500;

function textOf(content: string | readonly ContentPart[]): string {
  if (typeof content === "string") return content;
  return content
    .filter((part) => part.type === "text")
    .map(({ text }) => text)
    .join("\n");
}

/** What memory is asked with: the newest user message's text. Empty where there is none. */
export function questionOf({ messages }: Pick<ModelCall, "messages">): string {
  const text = textOf(messages[lastUserIndex(messages)]?.content ?? "").trim();
  if (text.length <= 2 * end) return text;
  return `${text.slice(0, end)}\n${text.slice(-end)}`.replaceAll(/\p{Cs}/gu, "");
}
