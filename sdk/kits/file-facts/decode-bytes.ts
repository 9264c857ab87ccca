/** What the bytes 0x80 to 0x9f mean (WHATWG Encoding Standard, index windows-1252). */
const special = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/** By table: some versions of Node take windows-1252 for ISO-8859-1. */
const windows1252 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString("latin1")
    .replace(/[\u0080-\u009f]/g, (control) => special.charAt(control.charCodeAt(0) - 0x80));

/** The name of the encoding that has this label (WHATWG Encoding Standard); undefined when none has. */
export function encodingOf(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/** Bytes in the encoding of this label; in windows-1252 when no encoding has it. A byte order mark goes. */
export function decodeBytes(bytes: Uint8Array, label: string): string {
  const encoding = encodingOf(label) ?? "windows-1252";
  if (encoding === "windows-1252") return windows1252(bytes);
  return new TextDecoder(encoding).decode(bytes);
}
