import { TextDecoder } from "node:util";

/** The characters of the bytes 0x80 to 0x9f in windows-1252; five have none. */
const high = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";
const sameAsWindows = new Set([
  "windows-1252",
  "iso-8859-1",
  "latin1",
  "ascii",
  "us-ascii",
  "cp1252",
  "x-cp1252",
  "iso8859-1",
]);

/** By table: Node's own decoder takes windows-1252 for Latin-1 in some versions. */
const windows1252 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString("latin1")
    .replaceAll(/[\x80-\x9f]/g, (character) => high.charAt(character.charCodeAt(0) - 0x80));

/**
 * Bytes in an encoding of the WHATWG standard, by one of its labels; windows-1252 for labels that it does not
 * know.
 */
export function decodeBytes(bytes: Uint8Array, label: string): string {
  if (sameAsWindows.has(label.toLowerCase())) return windows1252(bytes);
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return windows1252(bytes);
  }
}
