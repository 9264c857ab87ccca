/**
 * One spelling for names and values that a person takes for the same: without accents of Latin letters, in
 * lower case, composed.
 */
export const fold = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .toLowerCase();
