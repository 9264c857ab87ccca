import { renderUnicodeCompact } from "uqr";

/** A QR code in letters of half a square each; white on black, whatever the terminal's own colours. */
export const qrCode = (text: string): readonly string[] =>
  renderUnicodeCompact(text)
    .split("\n")
    .map((line) => `\u001B[97;40m${line}\u001B[0m`);
