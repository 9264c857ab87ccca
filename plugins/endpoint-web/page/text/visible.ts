// Control characters but tab and line feed, direction marks, characters without width, and tags.
const unseen =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

const signOf = (character: string): string =>
  `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;

/** Shows what would otherwise change how a text reads without being seen: commands, paths and links. */
export const visible = (text: string): string => text.replace(unseen, signOf);
