import { styleText } from "node:util";

const colours = process.stdout.isTTY && process.env["NO_COLOR"] === undefined;

/** Styled where a terminal shows it, plain where a file or a pipe takes it. */
export const styled = (style: Parameters<typeof styleText>[0], text: string): string =>
  colours ? styleText(style, text) : text;

/** A string as it is, any other value as JSON. */
export const textOfValue = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);

/**
 * Control and format characters as visible signs: what a person reads before a yes can neither move the
 * cursor nor hide or turn around a part of itself. Line ends and tabs stay.
 */
export const visible = (text: string): string =>
  text.replaceAll(/(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (sign) => {
    const code = sign.codePointAt(0) ?? 0;
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : `\\u{${code.toString(16)}}`;
  });

/** The same for text that is only read, where the joiners of scripts and emoji belong to the words. */
export const readable = (text: string): string => text.replaceAll(/[^\u200c\u200d]+/g, visible);
