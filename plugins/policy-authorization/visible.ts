/**
 * Characters that are not shown, or that change how their neighbours are shown, as `\u{…}`: a person must see
 * what is asked.
 */
export const visible = (text: string): string =>
  text.replaceAll(
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
