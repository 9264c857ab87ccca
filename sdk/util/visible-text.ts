import type { Json } from "./json.ts";

/**
 * Control characters but for line ends and tabs, characters that turn the direction of text around, tags, and
 * what takes no room. Joiners and the choice between text and picture stay where scripts and emoji are
 * written with them: not beside plain letters, and not in a row.
 */
const hidden = new RegExp(
  [
    String.raw`(?!\n|\t|\u200c|\u200d|\ufe0e|\ufe0f)` +
      String.raw`(?:[\p{C}\p{Zl}\p{Zp}\u2800]|\p{Default_Ignorable_Code_Point})`,
    String.raw`(?<=^|[\x00-\x7f])(?:\u200c|\u200d|\ufe0e|\ufe0f)`,
    String.raw`(?:\u200c|\u200d)(?=[\x00-\x7f]|$)`,
    String.raw`(?:\u200c|\u200d|\ufe0e|\ufe0f)(?=\u200c|\ufe0e|\ufe0f)`,
  ].join("|"),
  "gu",
);

/** A visible sign for a character: `␛` or `\u{202e}`. */
function signOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return `\\u{${code.toString(16)}}`;
}

/**
 * The text with a sign for every character that a person could not see: what is read before a yes can neither
 * move the cursor nor hide or turn around a part of itself.
 */
export const visibleText = (text: string): string => text.replaceAll(hidden, signOf);

/** The same for every text in a value, names included. */
export function visibleJson<T extends Json>(value: T): T;
export function visibleJson(value: Json): Json {
  if (typeof value === "string") return visibleText(value);
  if (Array.isArray(value)) return value.map((item: Json) => visibleJson(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [visibleText(name), visibleJson(item)]),
  );
}
