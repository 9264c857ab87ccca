import { defined, type ChatMessage, type ContentPart, type JsonObject } from "@pergola/sdk";
import { imageLeftOut, nonEmptyParts, partsOf, readDataUrl } from "@pergola/kit-provider";

/** Kinds of files whose URL tells what they are; Gemini wants to know the type of what it fetches. */
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

function inlineData(url: string): JsonObject | undefined {
  const image = readDataUrl(url);
  return image && { inlineData: { mimeType: image.type, data: image.data } };
}

function fileData(fileUri: string): JsonObject | undefined {
  if (!/^(https?|gs):/i.test(fileUri) || !URL.canParse(fileUri)) return undefined;
  const ending = new URL(fileUri).pathname.split(".").at(-1) ?? "";
  return { fileData: defined({ mimeType: typesByEnding[ending.toLowerCase()], fileUri }) };
}

/** An image as Gemini takes it; undefined when it is neither data nor an address. */
const imagePart = (url: string): JsonObject | undefined => inlineData(url) ?? fileData(url);

function wirePart(part: ContentPart): JsonObject {
  if (part.type === "text") return { text: part.text };
  return imagePart(part.image_url.url) ?? { text: imageLeftOut };
}

/** The parts of a message's content, without texts that are only white space. */
export const contentParts = (content: ChatMessage["content"]): readonly JsonObject[] =>
  nonEmptyParts(content).map(wirePart);

/** True if Gemini cannot take one of the message's images. */
export const hasUnusableImage = ({ content }: ChatMessage): boolean =>
  partsOf(content).some((part) => part.type === "image_url" && !imagePart(part.image_url.url));
