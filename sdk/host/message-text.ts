import type { ChatMessage } from "../contract/provider.ts";

/** The text of a message; an image is represented by its URL. */
export const messageText = (message: ChatMessage): string =>
  typeof message.content === "string"
    ? message.content
    : (message.content ?? [])
        .map((part) => (part.type === "text" ? part.text : part.image_url.url))
        .join("\n");
