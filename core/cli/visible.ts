import { styleText } from "node:util";

const colours = process.stdout.isTTY && process.env["NO_COLOR"] === undefined;

/** Styled where a terminal shows it, plain where a file or a pipe takes it. */
export const styled = (style: Parameters<typeof styleText>[0], text: string): string => (colours ? styleText(style, text) : text);

/** Control characters as visible signs: what a person reads before a yes must not be able to move the cursor or hide. */
export const visible = (text: string): string =>
  // eslint-disable-next-line no-control-regex
  text.replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, (sign) => {
    const code = sign.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : `\\u${code.toString(16).padStart(4, "0")}`;
  });
