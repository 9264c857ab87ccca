/** A word of a text, and where it stands. */
export interface WordPlace {
  /** Lower case, without Latin accents. */
  readonly word: string;
  /** In UTF-16 code units. */
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

const words = /[\p{L}\p{N}\p{M}]+/gu;

/** In scripts that are written without spaces each character stands for itself. */
const pieces =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]\p{M}*|[^\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+/gu;

const isAscii = /^[\0-\x7f]*$/;

function fold(text: string): readonly string[] {
  const folded = text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC");
  return folded.match(words) ?? [];
}

/**
 * The words of a text in their order: letters and digits only, so that nothing is left that a query language
 * could take for an operator. A character of a script without spaces between words is a word.
 */
export function wordPlaces(text: string): readonly WordPlace[] {
  const places: WordPlace[] = [];
  for (const { 0: run, index } of text.matchAll(words)) {
    if (isAscii.test(run)) {
      places.push({ word: run.toLowerCase(), start: index, end: index + run.length });
      continue;
    }
    for (const { 0: piece, index: within } of run.matchAll(pieces)) {
      const start = index + within;
      for (const word of fold(piece)) places.push({ word, start, end: start + piece.length });
    }
  }
  return places;
}
