import { fieldFault, fieldsOf, type Warn } from "@pergola/kit-provider";
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

/** A line of text in place of what nobody here can read. */
const lostPart = (what: string): ContentPart => ({
  type: "text",
  text: `(Here was ${what} that cannot be read.)`,
});

const textOf = (data: string, mediaType: string): string | undefined => {
  if (!/^text\/|[/+]json$|[/+]xml$/.test(mediaType)) return undefined;
  return Buffer.from(data, "base64").toString("utf8");
};

/** The parts that a document's source is made of; undefined where it is none that can be read here. */
function sourceParts(source: JsonObject, at: string, warn: Warn): readonly ContentPart[] | undefined {
  const { type, data, content, media_type: mediaType } = source;
  if (type === "text" && typeof data === "string") return [{ type: "text", text: data }];
  if (type === "content" && content !== undefined)
    return partsOf(blocksOf(content, `${at}.content`), `${at}.content`, warn);
  if (type !== "base64" || typeof data !== "string") return undefined;
  const text = textOf(data, stringOf(mediaType));
  return text === undefined ? undefined : [{ type: "text", text }];
}

/** A document as its text, behind its title. */
function documentParts(block: JsonObject, at: string, warn: Warn): readonly ContentPart[] {
  const { title, context } = block;
  const source = isObject(block["source"]) ? block["source"] : {};
  if (!documentSources.has(source["type"]))
    throw fieldFault(`${at}.source`, `must be of type ${[...documentSources].join(", ")}`);
  if (source["type"] === "base64") textIn(source, "data", `${at}.source`);
  const parts = sourceParts(source, `${at}.source`, warn);
  if (parts === undefined) warn(`${at} was left out: no text can be read from a document of this kind`);
  const head = [stringOf(title), stringOf(context)].filter((text) => text !== "");
  return withHead(head.join("\n\n"), parts ?? [lostPart("a document")]);
}

/** The parts behind a text, in one with the first of them where that is text too. */
function withHead(head: string, [first, ...rest]: readonly ContentPart[]): readonly ContentPart[] {
  const own = first === undefined ? [] : [first];
  if (head === "") return [...own, ...rest];
  if (first?.type !== "text") return [{ type: "text", text: head }, ...own, ...rest];
  return [{ type: "text", text: `${head}\n\n${first.text}` }, ...rest];
}

const documentSources: ReadonlySet<unknown> = new Set(["text", "content", "base64", "url", "file"]);

/** A hit of a search that the caller has made: where it is from, and its text. */
function searchParts(block: JsonObject, at: string, warn: Warn): readonly ContentPart[] {
  const head = [textIn(block, "title", at), textIn(block, "source", at)].join("\n");
  const content = blocksOf(block["content"], `${at}.content`);
  return withHead(head, partsOf(content, `${at}.content`, warn));
}

/** A tool that a search of the caller's has found: the request offers it like any other. */
const referencePart = (block: JsonObject, at: string): ContentPart => ({
  type: "text",
  text: `The tool ${textIn(block, "tool_name", at)} can be called now.`,
});

/** Blocks that come from tools and features of a vendor, which nobody here has. */
const vendorBlocks =
  /^(server_tool_use|mcp_tool_use|container_upload|compaction|tool_addition|tool_removal|fallback|\w+_tool_result)$/;

/** Whether it is a block of a vendor's own tools; the warning says that it was left out. */
export function isVendors(block: JsonObject, at: string, warn: Warn): boolean {
  const type = typeOf(block);
  if (!vendorBlocks.test(type)) return false;
  warn(`${at} was left out: blocks of type ${type} mean nothing here`);
  return true;
}

/** The refusal of a block of a type that nobody here can read. */
export const unsupportedBlock = (block: JsonObject, at: string) =>
  fieldFault(at, `is of type ${typeOf(block)}, which is not taken here`);

/**
 * What models are shown of a block that a person or a tool gives. Throws `invalid_value` for blocks that
 * nobody knows.
 */
export function readPart(block: JsonObject, at: string, warn: Warn): readonly ContentPart[] {
  if (block["type"] === "text") return [{ type: "text", text: textIn(block, "text", at) }];
  if (block["type"] === "image") return [imagePart(block, at)];
  if (block["type"] === "document") return documentParts(block, at, warn);
  if (block["type"] === "search_result") return searchParts(block, at, warn);
  if (block["type"] === "tool_reference") return [referencePart(block, at)];
  if (isVendors(block, at, warn)) return [];
  throw unsupportedBlock(block, at);
}

/** The parts that a content is made of. */
export function partsOf(blocks: readonly JsonObject[], at: string, warn: Warn): readonly ContentPart[] {
  return blocks.flatMap((block, index) => readPart(block, `${at}[${index}]`, warn));
}

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
