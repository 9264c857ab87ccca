import type { ChatMessage, ContentPart, JsonObject } from "@pergola/sdk";

const imageTypes: ReadonlySet<string> = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);

const leftOut: JsonObject = { type: "text", text: "[an image was left out]" };

/** `data:<type>[;…][;base64],<data>` (RFC 2397). */
function readDataUrl(url: string): { readonly type: string; readonly data: string } | undefined {
  const [, type = "", parameters = "", data = ""] = /^data:([^;,]*)((?:;[^;,]*)*),([^]*)$/i.exec(url) ?? [];
  if (type === "" || data === "") return undefined;
  const mediaType = type.toLowerCase() === "image/jpg" ? "image/jpeg" : type.toLowerCase();
  if (/;base64$/i.test(parameters)) return { type: mediaType, data: data.replaceAll(/\s/g, "") };
  try {
    return { type: mediaType, data: Buffer.from(decodeURIComponent(data)).toString("base64") };
  } catch {
    return undefined;
  }
}

function imageBlock(url: string, warn: (text: string) => void): JsonObject {
  if (/^https:/i.test(url)) return { type: "image", source: { type: "url", url } };
  const image = readDataUrl(url);
  if (image !== undefined && imageTypes.has(image.type)) {
    return { type: "image", source: { type: "base64", media_type: image.type, data: image.data } };
  }
  warn(`an image was left out: only JPEG, PNG, GIF and WebP are taken, as data or by an https address`);
  return leftOut;
}

const partBlock = (part: ContentPart, warn: (text: string) => void): JsonObject =>
  part.type === "text" ? { type: "text", text: part.text } : imageBlock(part.image_url.url, warn);

/** A message's content as blocks; texts without any words are left out, which the vendor refuses. */
export function contentBlocks(
  content: ChatMessage["content"],
  warn: (text: string) => void,
): readonly JsonObject[] {
  const parts: readonly ContentPart[] =
    typeof content === "string" ? [{ type: "text", text: content }] : (content ?? []);
  return parts
    .filter((part) => part.type !== "text" || part.text.trim() !== "")
    .map((part) => partBlock(part, warn));
}
