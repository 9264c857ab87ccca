import type { ChatMessage } from "@pergola/sdk";

export const hasImage = ({ content }: ChatMessage): boolean =>
  Array.isArray(content) &&
  (content as readonly { readonly type: string }[]).some(({ type }) => type === "image_url");
