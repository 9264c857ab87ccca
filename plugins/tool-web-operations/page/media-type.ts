import { isBinary } from "@pergola/kit-file-facts";

/** What an answer is, as far as reading goes. */
export type Kind = "html" | "text" | "other";

const texts =
  /^(text\/.*|application\/(.*\+)?(json|xml|yaml|x-yaml|toml|javascript|ecmascript|typescript|x-ndjson|jsonl|sql|x-sh|graphql|rtf))$/;

/** Types that servers give to what they do not know. */
const unknown = new Set(["", "application/octet-stream", "application/x-unknown", "unknown/unknown"]);

/** Decides by the content type; by the first bytes where it says nothing. */
export function kindOf(contentType: string, bytes: Uint8Array): Kind {
  const type = (contentType.split(";")[0] ?? "").trim().toLowerCase();
  const start = Buffer.from(bytes.subarray(0, 512)).toString("latin1").trimStart().toLowerCase();
  if (/^(text\/html|application\/xhtml\+xml)$/.test(type)) return "html";
  if (unknown.has(type) && /^(<!doctype html|<html|<head|<body)/.test(start)) return "html";
  if (isBinary(bytes.subarray(0, 1024)) && !/charset=utf-16/i.test(contentType)) return "other";
  if (texts.test(type) || unknown.has(type)) return "text";
  return "other";
}
