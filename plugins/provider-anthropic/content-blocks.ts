import type { ChatMessage, ContentPart, JsonObject } from "@pergola/sdk";
import { imageLeftOut, nonEmptyParts, readDataUrl, type Warn } from "@pergola/kit-provider";

const imageTypes: ReadonlySet<string> = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);

function imageSource(url: string): JsonObject | undefined {
  if (/^https:/i.test(url)) return { type: "url", url };
  const image = readDataUrl(url);
  if (image === undefined || !imageTypes.has(image.type)) return undefined;
  return { type: "base64", media_type: image.type, data: image.data };
}

function blockOf(part: ContentPart, warn: Warn): JsonObject {
  if (part.type === "text") return { type: "text", text: part.text };
  const source = imageSource(part.image_url.url);
  if (source !== undefined) return { type: "image", source };
  warn("an image was left out: only JPEG, PNG, GIF and WebP are taken, as data or by an https address");
  return { type: "text", text: imageLeftOut };
}

/** A message's content as blocks, without texts that are only white space, which the vendor refuses. */
export const contentBlocks = (content: ChatMessage["content"], warn: Warn): readonly JsonObject[] =>
  nonEmptyParts(content).map((part) => blockOf(part, warn));
