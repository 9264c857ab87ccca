import { isUtf8 } from "node:buffer";
import { decodeBytes, encodingOf } from "./decode-bytes.ts";

const marks: readonly (readonly [encoding: string, ...mark: number[]])[] = [
  ["utf-8", 0xef, 0xbb, 0xbf],
  ["utf-16be", 0xfe, 0xff],
  ["utf-16le", 0xff, 0xfe],
];

/** The encoding that a byte order mark says; undefined without a mark. */
export const markedEncoding = (bytes: Uint8Array): string | undefined =>
  marks.find(([, ...mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0];

/** How far into a document its own word on its encoding is looked for, in bytes. */
const prologue = 4096;

/**
 * The label in an HTML or XML document's own `<meta charset>`, `<meta http-equiv>` or `<?xml encoding>`;
 * undefined without one. It can be read, so it is not UTF-16.
 */
export function declaredCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, prologue)).toString("latin1");
  const [, label = ""] =
    /<meta\s[^>]{0,200}?charset\s*=\s*["']?\s*([\w-]+)/i.exec(head) ??
    /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w-]+)/i.exec(head) ??
    [];
  const encoding = encodingOf(label);
  return encoding?.startsWith("utf-16") ? "utf-8" : encoding;
}

/**
 * A text in the encoding that its byte order mark says; else in the first of the labels that an encoding has,
 * a `utf-8` that is none coming last; else in UTF-8 if it is that, or in windows-1252.
 */
export function decodeText(bytes: Uint8Array, ...labels: readonly (string | undefined)[]): string {
  const encodings = labels.map((label) => encodingOf(label ?? "")).filter((one) => one !== undefined);
  const isValid = isUtf8(bytes);
  const named = encodings.find((encoding) => isValid || encoding !== "utf-8") ?? encodings[0];
  return decodeBytes(bytes, markedEncoding(bytes) ?? named ?? (isValid ? "utf-8" : "windows-1252"));
}

/** The beginning of a text without the part of a UTF-8 character that is cut off at its end. */
export function withoutCutCharacter(bytes: Uint8Array): Uint8Array {
  const start = bytes.findLastIndex((byte) => (byte & 0xc0) !== 0x80);
  const lead = bytes[start] ?? 0;
  if (lead < 0xc0) return bytes;
  const length = 2 + Number(lead >= 0xe0) + Number(lead >= 0xf0);
  return start + length > bytes.length ? bytes.subarray(0, start) : bytes;
}

/** How far into a file a NUL is looked for, in bytes. */
const probe = 8192;

/** Whether a file's beginning holds a NUL, as no text does but UTF-16, which says so by its mark. */
export const isBinary = (bytes: Uint8Array): boolean =>
  bytes.subarray(0, probe).includes(0) && !markedEncoding(bytes)?.startsWith("utf-16");
