import type { Phrase, Token } from "../phrase/phrase.ts";

/** What stands around a piece of a phrase. */
export interface Surroundings {
  /** Keys of the two words or marks before it, the nearest first. */
  readonly before: readonly string[];
  readonly after: string | undefined;
}

const labelOf = ({ word, mark }: Token): string => word?.key ?? `<${mark?.kind ?? ""}>`;
const edge = ({ word, mark }: Token): { readonly start: number; readonly end: number } =>
  word ?? mark ?? { start: 0, end: 0 };

/** The neighbours of the piece between two places of the phrase. An arrow before it counts as a word. */
export function surroundingsOf(phrase: Phrase, start: number, end: number): Surroundings {
  const before = phrase.tokens
    .filter((token) => edge(token).end <= start)
    .slice(-2)
    .reverse();
  const after = phrase.tokens.find((token) => edge(token).start >= end);
  const gap = phrase.text.slice(before[0] === undefined ? 0 : edge(before[0]).end, start);
  const labels = before.map(labelOf);
  return {
    before: /[-=]>/.test(gap) ? ["->", ...labels] : labels,
    after: after === undefined ? undefined : labelOf(after),
  };
}
