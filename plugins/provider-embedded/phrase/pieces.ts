import { keyOf } from "../language/concepts.ts";
import { correct } from "../language/spelling.ts";
import { words } from "../language/words.ts";
import { foldExpressions } from "./fold-expressions.ts";

/** What stands between two blanks. */
export interface Piece {
  /** Without punctuation at its ends. */
  readonly text: string;
  readonly key: string;
  readonly start: number;
  readonly end: number;
  /** `a`, `the`, `my` and the like: patterns pass over them. */
  readonly isArticle: boolean;
  /** Punctuation that ends a step or a clause follows. */
  readonly isClosed: boolean;
}

const articles = words("a an the my our your me us some please all any every each");
const shortened: Readonly<Record<string, string>> = {
  "what's": "what be",
  "how's": "how be",
  "where's": "where be",
  "who's": "who be",
  into: "to",
  using: "with",
  called: "nam",
  titled: "nam",
};

/** What follows a colon is apart from what stands before it. Where a pattern has none, it is passed over. */
const colon = { text: ":", key: ":", isArticle: true, isClosed: true } as const;

const known = new WeakMap<object, readonly Piece[]>();

/** The pieces of a phrase's text, found once. */
export function piecesIn(phrase: { readonly text: string }): readonly Piece[] {
  const pieces = known.get(phrase) ?? piecesOf(phrase.text);
  known.set(phrase, pieces);
  return pieces;
}

/**
 * The pieces of a plain text, in order. `what's` is two, and a turn of phrase such as `get rid of` is one.
 */
export function piecesOf(given: string): readonly Piece[] {
  const { text, places } = foldExpressions(given, []);
  return [...text.matchAll(/\S+/g)].flatMap((match) => {
    const bare = match[0].replace(/[,;:.!?]+$/, "");
    if (bare === "") return [];
    const start = places[match.index]?.start ?? 0;
    const end = places[match.index + bare.length - 1]?.end ?? 0;
    const lower = bare.toLowerCase();
    const keys = shortened[lower]?.split(" ") ?? [keyOf(correct(lower))];
    const isClosed = bare !== match[0];
    const pieces = keys.map((key) => ({
      text: given.slice(start, end),
      key,
      start,
      end,
      isArticle: articles.has(lower),
      isClosed,
    }));
    return match[0].charAt(bare.length) === ":"
      ? [...pieces, { ...colon, start: end, end: end + 1 }]
      : pieces;
  });
}
