import { keyOf } from "../language/concepts.ts";
import { plain } from "../language/plain.ts";
import { correct } from "../language/spelling.ts";
import { stopWords } from "../language/stop-words.ts";
import { findMarks } from "../marks/find-marks.ts";
import type { Mark } from "../marks/mark.ts";
import { foldExpressions } from "./fold-expressions.ts";

/** A word outside the marks. */
export interface Word {
  /** In lower case, its spelling set right. */
  readonly text: string;
  /** Its concept or stem. */
  readonly key: string;
  readonly start: number;
  readonly end: number;
  /** The spelling was not the one typed. */
  readonly corrected: boolean;
}

export type Token =
  { readonly word: Word; readonly mark?: undefined } | { readonly mark: Mark; readonly word?: undefined };

/** A sentence or part of one as the router sees it. */
export interface Phrase {
  /** With plain quotes and dashes. */
  readonly text: string;
  readonly marks: readonly Mark[];
  readonly words: readonly Word[];
  /** Words and marks in order. */
  readonly tokens: readonly Token[];
  /** What the phrase is about: the keys of the words that count, and one `<kind>` for each mark. */
  readonly keys: ReadonlySet<string>;
}

/** Characters of a request that are read. A change is never made on a longer one, whose end is not known. */
export const longestRequest = 4000;

/** The part of a text that the router reads: places in it are the places of marks. */
export const plainText = (given: string): string => plain(given).slice(0, longestRequest).trim();

/** What a mark counts as among the keys. */
export function keyOfMark({ kind, directory, loose, value }: Mark): string | undefined {
  if (loose === true && kind === "path") return "<directory>";
  if (kind === "here" || (kind === "path" && directory === true && !/\.\w+$/.test(String(value))))
    return "<directory>";
  return `<${kind}>`;
}

function readWords(text: string, marks: readonly Mark[]): readonly Word[] {
  const { text: folded, places } = foldExpressions(text, marks);
  return [...folded.matchAll(/[\p{L}][\p{L}'-]*/gu)].map((match) => {
    const lower = match[0].toLowerCase();
    const isName = /^\p{Lu}\p{Ll}/u.test(match[0]) && match.index > 0;
    const spelled = isName ? lower : correct(lower);
    return {
      text: spelled,
      key: keyOf(spelled),
      start: places[match.index]?.start ?? 0,
      end: places[match.index + match[0].length - 1]?.end ?? 0,
      corrected: spelled !== lower,
    };
  });
}

const startOf = ({ word, mark }: Token): number => (word ?? mark)?.start ?? 0;

/**
 * Finds the marks of a text and the words between them. `dates` are marks that were found in the same text
 * before.
 */
export function readPhrase(given: string, dates: readonly Mark[] = []): Phrase {
  const text = plainText(given);
  const marks = findMarks(text, dates);
  const words = readWords(text, marks);
  const tokens: readonly Token[] = [
    ...words.map((word): Token => ({ word })),
    ...marks.map((mark): Token => ({ mark })),
  ].sort((a, b) => startOf(a) - startOf(b));
  const content = words.filter(({ text: word }) => !stopWords.has(word)).map(({ key }) => key);
  return {
    text,
    marks,
    words,
    tokens,
    keys: new Set([...content, ...marks.flatMap((mark) => keyOfMark(mark) ?? [])]),
  };
}
