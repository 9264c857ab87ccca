import type { Message } from "@pergola/sdk";
import type { IndexedText } from "@pergola/sdk/host";
import { wordPlaces } from "./word-places.ts";

/** Characters of a message that are looked at. */
const most = 100_000;

/** What of a message is searched: its text, and of one with images what is written beside them. */
export function searchedText({ content, contentParts }: Message): string {
  if (!Array.isArray(contentParts)) return (content ?? "").slice(0, most);
  const parts = contentParts as readonly { readonly text?: string }[];
  return parts
    .map(({ text = "" }) => text)
    .join("\n")
    .slice(0, most);
}

export const indexedText = (message: Message): IndexedText => ({
  id: message.id,
  scope: message.conversationId,
  time: Date.parse(message.timestamp),
  kind: message.role,
  words: wordPlaces(searchedText(message))
    .map(({ word }) => word)
    .join(" "),
});
