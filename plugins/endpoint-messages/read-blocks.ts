import { fieldFault, fieldsOf } from "@pergola/kit-provider";
import { isObject, stringOf, type ContentPart, type Json, type JsonObject } from "@pergola/sdk";
import { unfit } from "./unfit.ts";

/** The blocks of a content, which may be one text. Throws `invalid_value` naming the field. */
export function blocksOf(content: Json | undefined, at: string): readonly JsonObject[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (!Array.isArray(content)) throw unfit(at, content, "must be a string or an array of blocks");
  return (content as readonly Json[]).map((block, index) => {
    if (isObject(block) && typeof block["type"] === "string") return block;
    throw fieldFault(`${at}[${index}]`, "must be a block with a type");
  });
}

/** The type of a block; empty where it has none. */
export const typeOf = (object: JsonObject | undefined): string => stringOf(object?.["type"]);

/** A text that a block must have. */
export function textIn(block: JsonObject, key: string, at: string): string {
  const value = block[key];
  if (typeof value === "string") return value;
  throw unfit(`${at}.${key}`, value, "must be a string");
}

function imagePart({ source }: JsonObject, at: string): ContentPart {
  const { type, url, media_type: mediaType, data } = fieldsOf(source);
  if (type === "url" && typeof url === "string" && /^https:/i.test(url))
    return { type: "image_url", image_url: { url } };
  if (
    type === "base64" &&
    typeof mediaType === "string" &&
    typeof data === "string" &&
    /^image\/[\w.+-]+$/.test(mediaType)
  ) {
    return { type: "image_url", image_url: { url: `data:${mediaType};base64,${data}` } };
  }
  throw fieldFault(`${at}.source`, "must be an https url, or base64 data with a media_type");
}

/** A document that contains its text. */
function documentPart({ source, title }: JsonObject, at: string): ContentPart {
  const { type, data } = fieldsOf(source);
  if (type !== "text" || typeof data !== "string")
    throw fieldFault(`${at}.source`, "must be of type text: documents of other kinds are not read");
  return { type: "text", text: typeof title === "string" ? `${title}\n\n${data}` : data };
}

/** The refusal of a block of a type that nobody here can read. */
export const unsupportedBlock = (block: JsonObject, at: string) =>
  fieldFault(at, `is of type ${typeOf(block)}, which is not taken here`);

/**
 * A block that a person or a tool may give. Throws `invalid_value` for those that no model here could be
 * shown.
 */
export function partOf(block: JsonObject, at: string): ContentPart {
  if (block["type"] === "text") return { type: "text", text: textIn(block, "text", at) };
  if (block["type"] === "image") return imagePart(block, at);
  if (block["type"] === "document") return documentPart(block, at);
  throw unsupportedBlock(block, at);
}

/** The parts that a content is made of. */
export const partsOf = (blocks: readonly JsonObject[], at: string): readonly ContentPart[] =>
  blocks.map((block, index) => partOf(block, `${at}[${index}]`));

export const isText = (part: ContentPart) => part.type === "text";

export const joinTexts = (parts: readonly { readonly text: string }[]): string =>
  parts.map(({ text }) => text).join("\n\n");

/** Parts that are all text are one text. */
export function contentOf(parts: readonly ContentPart[]): string | readonly ContentPart[] {
  if (parts.every(isText)) return joinTexts(parts);
  return parts;
}

/** The breakpoint of the cache on the last of these blocks. */
export function extraOf(
  blocks: readonly JsonObject[],
  more: JsonObject | false = false,
): { readonly extra?: JsonObject } {
  const control = blocks.at(-1)?.["cache_control"];
  const extra = { ...(isObject(control) && { cache_control: control }), ...more };
  if (Object.keys(extra).length === 0) return {};
  return { extra };
}
