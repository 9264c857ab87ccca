import type { ChatMessage, ContentPart, JsonObject } from "@pergola/sdk";

const leftOut = "[an image was left out]";

/** Kinds of files whose URL tells what they are; Gemini asks for the type of what it is to fetch. */
const typesByEnding: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  webp: "image/webp",
  gif: "image/gif",
  heic: "image/heic",
  heif: "image/heif",
  pdf: "application/pdf",
};

/** `data:image/png;base64,…` as `inlineData` (RFC 2397). */
function inlineData(url: string): JsonObject | undefined {
  const comma = url.indexOf(",");
  const [mimeType = "", ...settings] = url.slice("data:".length, comma).split(";");
  if (comma < 0 || mimeType === "") return undefined;
  const body = url.slice(comma + 1);
  const data = settings.includes("base64") ? body : Buffer.from(decodeURIComponent(body)).toString("base64");
  return { inlineData: { mimeType, data } };
}

function fileData(url: string): JsonObject | undefined {
  if (!/^(https?|gs):/i.test(url) || !URL.canParse(url)) return undefined;
  const ending = new URL(url).pathname.split(".").at(-1)?.toLowerCase() ?? "";
  const mimeType = typesByEnding[ending];
  return { fileData: { ...(mimeType === undefined ? {} : { mimeType }), fileUri: url } };
}

/** An image as Gemini takes it; undefined when it is neither data nor an address. */
export const imagePart = (url: string): JsonObject | undefined =>
  /^data:/i.test(url) ? inlineData(url) : fileData(url);

const wirePart = (part: ContentPart): JsonObject =>
  part.type === "text" ? { text: part.text } : (imagePart(part.image_url.url) ?? { text: leftOut });

/** The parts of a message's content; texts that say nothing are none. */
export const contentParts = (content: ChatMessage["content"]): readonly JsonObject[] =>
  (typeof content === "string" ? [{ type: "text", text: content } as const] : (content ?? []))
    .filter((part) => part.type !== "text" || part.text.trim() !== "")
    .map(wirePart);

/** The text alone. */
export const contentText = (content: ChatMessage["content"]): string =>
  typeof content === "string"
    ? content
    : (content ?? []).flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
