import { isUtf8 } from "node:buffer";
import { decodeWindows1252 } from "./windows-1252.ts";

/** How far into a document its own word on its encoding is looked for, in bytes. */
const prologue = 4096;

const marks: readonly (readonly [label: string, ...bytes: number[]])[] = [
  ["utf-8", 0xef, 0xbb, 0xbf],
  ["utf-16be", 0xfe, 0xff],
  ["utf-16le", 0xff, 0xfe],
];

const byMark = (bytes: Uint8Array): string | undefined =>
  marks.find(([, ...mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0];

/** The encoding of this name (WHATWG Encoding Standard); undefined for a name of none. */
function encodingOf(label: string | undefined): string | undefined {
  try {
    return label === undefined ? undefined : new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/**
 * What a document says of itself in `<meta charset>`, `<meta http-equiv>` or `<?xml encoding>`; it can be
 * read, so it is not UTF-16.
 */
function declared(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, prologue)).toString("latin1");
  const [, label] =
    /<meta\s[^>]{0,200}?charset\s*=\s*["']?\s*([\w-]+)/i.exec(head) ??
    /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w-]+)/i.exec(head) ??
    [];
  const encoding = encodingOf(label);
  return encoding?.startsWith("utf-16") === true ? "utf-8" : encoding;
}

/**
 * The text of an answer: its encoding is what the byte order mark says, else the content type, else the
 * document, else UTF-8 if it is that, else windows-1252. A content type that says UTF-8 of what is not UTF-8
 * gives way to the document's own word.
 */
export function decodeText(bytes: Uint8Array, contentType: string): string {
  const [, label] = /charset\s*=\s*["']?\s*([^\s"';]+)/i.exec(contentType) ?? [];
  const said = encodingOf(label);
  const valid = isUtf8(bytes);
  const trusted = said === "utf-8" && !valid ? (declared(bytes) ?? said) : said;
  const encoding = byMark(bytes) ?? trusted ?? declared(bytes) ?? (valid ? "utf-8" : "windows-1252");
  return encoding === "windows-1252" ? decodeWindows1252(bytes) : new TextDecoder(encoding).decode(bytes);
}
