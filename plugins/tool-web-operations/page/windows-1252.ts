/** What the bytes 0x80 to 0x9f mean (WHATWG Encoding Standard, index windows-1252). */
const special = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/**
 * Some versions of Node take windows-1252 for ISO-8859-1, which lacks the dash, the quotation marks and the
 * euro sign.
 */
export const decodeWindows1252 = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString("latin1")
    .replace(/[\u0080-\u009f]/g, (control) => special[control.charCodeAt(0) - 0x80] ?? control);
