import { styleText } from "node:util";

/** Whether styles are shown: a file or a pipe takes none. */
export const hasColours = process.stdout.isTTY && process.env["NO_COLOR"] === undefined;

/** Styled where a terminal shows it, plain where a file or a pipe takes it. */
export function styled(style: Parameters<typeof styleText>[0], text: string): string {
  if (!hasColours) return text;
  return styleText(style, text);
}

/** A string as it is, any other value as JSON. */
export function textOfValue(value: unknown): string {
  if (typeof value === "string") return value;
  return JSON.stringify(value);
}

/** A visible sign for a control or format character: `␛` or `\u{202e}`. */
function signOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return `\\u{${code.toString(16)}}`;
}

/**
 * Control and format characters as visible signs: what a person reads before a yes can neither move the
 * cursor nor hide or turn around a part of itself. Line ends and tabs stay.
 */
export const visible = (text: string): string =>
  text.replaceAll(/(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, signOf);

/** The same for text that is only read, where the joiners of scripts and emoji belong to the words. */
export const readable = (text: string): string => text.replaceAll(/[^\u200c\u200d]+/g, visible);
