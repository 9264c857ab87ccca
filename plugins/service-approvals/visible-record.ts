import type { ApprovalRecord, Json } from "@pergola/sdk";

/**
 * Control characters but for line ends and tabs, characters that turn the direction of text around, tags, and
 * what has no width. The two joiners stay, since scripts and emoji are written with them.
 */
const hidden = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const visible = (text: string): string =>
  text.replaceAll(hidden, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);

function visibleJson(value: Json): Json {
  if (typeof value === "string") return visible(value);
  if (Array.isArray(value)) return value.map((item: Json) => visibleJson(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [visible(name), visibleJson(item)]));
}

/** A question as it leaves the service: nothing of what a person reads before a yes moves, turns or hides. */
export const visibleRecord = (record: ApprovalRecord): ApprovalRecord => ({
  ...record,
  arguments: visibleJson(record.arguments) as ApprovalRecord["arguments"],
  paths: record.paths.map(visible),
  options: record.options.map(visible),
  reason: visible(record.reason),
  prompt: visible(record.prompt),
  context: record.context && visible(record.context),
});
