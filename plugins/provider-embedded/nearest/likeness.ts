import type { Route } from "../examples/routes.ts";
import { piecesOf, plainText, type Piece } from "../request/read-request.ts";
import { commonWords, wordKey } from "../request/word-key.ts";
import { distinctKinds, isOfKind } from "../request/value-kinds.ts";

/** Characters of a sentence that are embedded. */
const longestSentence = 300;

type DistinctKind = (typeof distinctKinds)[number];

/** What stands for a value in the sentence that is embedded, so that its own words do not lead astray. */
const nouns: Readonly<Partial<Record<DistinctKind | "quoted" | "none", string>>> = {
  url: "https://example.org",
  address: "user@host",
  path: "notes.txt",
  id: "the stored result",
  number: "10",
  code: "myFunction",
  quoted: "this text",
};

/** The distinct kind of a piece; undefined for an ordinary word. */
export function kindOfPiece({ text, quoted }: Piece): DistinctKind | "quoted" | undefined {
  if (quoted !== undefined && isOfKind(quoted, "path")) return "path";
  if (quoted !== undefined) return "quoted";
  const kind = distinctKinds.find((each) => isOfKind(text, each));
  if (kind === "code" && /^\p{Lu}\p{Ll}*$/u.test(text)) return undefined;
  return kind;
}

/** What the likeness of a sentence is judged by. */
export interface Features {
  /** The sentence to embed: values replaced by nouns. */
  readonly sentence: string;
  /** Keys of the words that tell something. */
  readonly keys: ReadonlySet<string>;
}

/** Reads a sentence for comparison. */
export function featuresOf(say: string): Features {
  const pieces = piecesOf(plainText(say));
  const sentence = pieces.map((piece) => nouns[kindOfPiece(piece) ?? "none"] ?? piece.text).join(" ");
  const plain = pieces.filter((piece) => kindOfPiece(piece) === undefined && !commonWords.has(piece.key));
  return {
    sentence: sentence.slice(0, longestSentence),
    keys: new Set(plain.map(({ key }) => key)),
  };
}

interface Prepared {
  readonly examples: readonly Features[];
  readonly keys: ReadonlySet<string>;
}

const wordsOf = (text: string): readonly string[] =>
  text
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .match(/[a-z]+/g) ?? [];

const known = new WeakMap<Route, Prepared>();

/** A route's examples, and all words by which it is known. */
export function preparedRoute(route: Route): Prepared {
  const before = known.get(route);
  if (before !== undefined) return before;
  const { tool, name, description, sayings } = route;
  const examples = sayings.map(featuresOf);
  const own = wordsOf(`${tool} ${name} ${description}`).map(wordKey);
  const prepared = {
    examples,
    keys: new Set([...own, ...examples.flatMap(({ keys }) => [...keys])]),
  };
  known.set(route, prepared);
  return prepared;
}

/** The sentences of a route that are embedded: its examples, else its description. */
export function sentencesOf(route: Route): readonly string[] {
  const { examples } = preparedRoute(route);
  if (examples.length > 0) return examples.map(({ sentence }) => sentence);
  const name = route.name.replaceAll("_", " ");
  return [`${name}: ${route.description}`.slice(0, longestSentence)];
}
