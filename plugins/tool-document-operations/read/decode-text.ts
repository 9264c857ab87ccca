import { TextDecoder } from "node:util";
import { decodeBytes } from "./decode-bytes.ts";

const marks: readonly (readonly [bytes: readonly number[], encoding: string])[] = [
  [[0xef, 0xbb, 0xbf], "utf-8"],
  [[0xff, 0xfe], "utf-16le"],
  [[0xfe, 0xff], "utf-16be"],
];

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Text in the encoding that its byte order mark says, else in the one that is named, else in UTF-8; what is
 * not valid UTF-8 is taken for windows-1252. Line ends become LF.
 */
export function decodeText(bytes: Uint8Array, charset = ""): string {
  const label = marks.find(([mark]) => mark.every((byte, index) => bytes[index] === byte))?.[1] ?? charset;
  const text = label === "" ? (utf8(bytes) ?? decodeBytes(bytes, "windows-1252")) : decodeBytes(bytes, label);
  return text.replaceAll(/\r\n?/g, "\n");
}
