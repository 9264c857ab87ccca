import { stringOf } from "@pergola/sdk";

/** Marks of Markdown, and what stands in their place. */
const marks: readonly (readonly [RegExp, string])[] = [
  [/^\s*(`{3,}|~{3,}).*$/gm, ""],
  [/!?\[([^\]]*)\]\([^)]*\)/g, "$1"],
  [/^\s*(#{1,6}|>|[-*+]|\d+[.)])\s+/gm, ""],
  [/(\*\*|__|~~)(?=\S)(.*?\S)\1/g, "$2"],
  [/(?<![\w*])([*_])(?=\S)([^*_]*\S)\1(?![\w*])/g, "$2"],
  [/`+([^`]+)`+/g, "$1"],
];

/** A salutation, and ways to ask for something: whole phrases, so that what follows can stand alone. */
const openings = [
  /^(?:hello|hi|hey)(?: there| all| everyone)?\s*[,.!:;]+\s*/i,
  /^(?:please|kindly)[, ]+/i,
  /^(?:can|could|would|will) you (?:please )?/i,
  /^i(?: want| need| would like|'d like) (?:you )?to /i,
  /^(?:i need (?:some )?help|help me) (?:with|to) /i,
  /^let(?:'s|s| us) /i,
];
const article = /^(?:the|a|an|my) /i;

function withoutOpening(text: string): string {
  const opening = openings.find((each) => each.test(text));
  if (opening === undefined) return text;
  const rest = withoutOpening(text.replace(opening, "")).replace(article, "");
  return /[\p{L}\p{N}]/u.test(rest) ? rest : text;
}

/** How much of a message is looked at. */
const beginning = 2000;

/** A title from the first user message: no Markdown, no salutation, at most 50 characters, cut at a word. */
export function titleFrom(text: string): string {
  const plain = marks.reduce(
    (marked, [mark, instead]) => marked.replaceAll(mark, instead),
    text.slice(0, beginning),
  );
  const words = withoutOpening(plain.replaceAll(/\s+/g, " ").trim()).split(" ");
  let title = "";
  for (const word of words) {
    if (title !== "" && title.length + word.length + 1 > 50) break;
    title = `${title} ${word}`.trim().slice(0, 50);
  }
  return title.replace(/^./, (letter) => letter.toUpperCase());
}

/** The title in a model's marker, `{"title":"…"}`; undefined unless it has 3–80 characters. */
export function titleOf(marker: string): string | undefined {
  try {
    const { title } = JSON.parse(marker) as { readonly title?: unknown };
    const text = stringOf(title).trim();
    if (text.length >= 3 && text.length <= 80) return text;
    return undefined;
  } catch {
    return undefined;
  }
}
