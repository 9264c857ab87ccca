/** Scripts written without spaces between words. */
const unspaced =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+/gu;

/** Two neighbouring characters make a word where the script has no spaces. */
function pairs(run: string): string {
  const characters = [...run];
  if (characters.length < 3) return ` ${run} `;
  const words = characters.slice(1).map((character, index) => `${characters[index] ?? ""}${character}`);
  return ` ${words.join(" ")} `;
}

const cut = (word: string): readonly string[] => word.replace(unspaced, pairs).trim().split(/ +/);

/** Most texts: nothing to fold but case, and nothing to cut. */
const isAscii = /^[\0-\x7f]*$/;

/**
 * The words of a text as search indexes and queries see them: letters and digits only, lower case, without
 * Latin accents; scripts without spaces are cut into pairs of characters. Nothing is left that a query
 * language could take for an operator, but for plain words.
 */
export function searchWords(text: string): readonly string[] {
  if (isAscii.test(text)) return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const folded = text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .toLowerCase();
  return (folded.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).flatMap(cut);
}
