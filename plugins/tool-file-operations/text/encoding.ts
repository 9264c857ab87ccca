import { isUtf8 } from "node:buffer";
import { decodeBytes, withoutCutCharacter } from "@pergola/kit-file-facts";
import { decode } from "./bytes.ts";

/**
 * How a file's text is read: `damaged` is UTF-8 with some bytes that are none. Undefined where the bytes are
 * no text, or one in an encoding that cannot be told.
 */
export type Encoding = "utf-8" | "damaged" | "windows-1252";

/** Control characters that no text holds, and bytes without a meaning in windows-1252. */
// eslint-disable-next-line no-control-regex
const noText = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f\x81\x8d\x8f\x90\x9d]/;
/** The share of letters beyond ASCII in a text of a western language. */
const mostSpecial = 0.3;

/** The encoding of a text, by its beginning, which may be cut inside of a character. */
export function encodingOf(beginning: Uint8Array, isCut: boolean): Encoding | undefined {
  if (isUtf8(isCut ? withoutCutCharacter(beginning) : beginning)) return "utf-8";
  const text = Buffer.from(beginning).toString("latin1");
  const special = text.match(/[\x80-\xff]/g)?.length ?? 0;
  const decoded = decode(beginning);
  const broken = decoded.match(/\ufffd/g)?.length ?? 0;
  const whole = decoded.match(/[^\0-\x7f\ufffd]/gu)?.length ?? 0;
  if (whole > broken) return "damaged";
  if (noText.test(text) || special > mostSpecial * text.length) return undefined;
  return "windows-1252";
}

export const decodeAs = (bytes: Uint8Array, encoding: Encoding): string =>
  encoding === "windows-1252" ? decodeBytes(bytes, encoding) : decode(bytes);
