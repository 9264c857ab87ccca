import { anyOf } from "../language/any-of.ts";
import { fileNames } from "./file-names.ts";
import { literals } from "./literals.ts";
import { canBeName, canBePlace } from "./names.ts";
import { numberWords } from "./number-words.ts";
import { type Found, type Recogniser, trimmed } from "./recogniser.ts";

const named = (piece: string): Found | undefined =>
  canBeName(piece) ? { value: trimmed(piece) } : undefined;
const guessedPlace = (piece: string): Found | undefined =>
  canBePlace(piece) ? { value: piece, directory: true, loose: true } : undefined;
const namedPlace = (piece: string): Found | undefined =>
  canBeName(piece) ? { value: trimmed(piece), directory: true, loose: true } : undefined;

const codeNames = anyOf(
  "g",
  /\b(?:[a-z]+[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|[A-Za-z]\w*_\w+|[A-Z][A-Z0-9]{3,})(?:\(\))?/,
  /\b[A-Za-z_$][\w$]*(?:\.[a-z]\w*)*\(\)/,
  /\b(?:console|Math|JSON|process|fmt|System|document|window)\.\w+/,
);

const inside = String.raw`(?:in|under|inside|within|below|into|(?:listing|tree|contents|structure|entries) of)\s+(?:the\s+)?`;
const ending = String.raw`(?=$|[?.!,:]|\s+(?:and|please|for|with|recursively)\b)`;

/** Names of things, by the word before them or by their looks. */
const names: readonly Recogniser[] = [
  {
    kind: "name",
    pattern: /\b(?:called|named|with the name|by the name(?: of)?|(?:new )?name)\s+(?:it )?([\w.@-]+)/gi,
    read: named,
  },
  {
    kind: "name",
    pattern: /^(?:new|create|make) (?:folder|directory|dir|file):\s*([\w.@-]+)$/gi,
    read: named,
  },
  { kind: "path", pattern: /\b(?:folder|directory|dir)\s+([\w@.-]+)(?=$|[\s?.!,])/gi, read: namedPlace },
  {
    kind: "symbol",
    pattern:
      /\b(?:function|class|method|variable|identifier|constant|symbol|interface|component|hook)\s+([A-Za-z_$][\w$]*)/g,
    read: named,
  },
  { kind: "text", pattern: /(?<![\w-])(?:word|string|term|phrase)\s+([A-Za-z_$][\w$-]*)/g, read: named },
  {
    kind: "text",
    pattern:
      /(?<![\w-])text\s+([A-Za-z_$][\w$-]*)(?=$|[?.!,]|\s+(?:in|to|into|from|with|at|anywhere|is|occurs?|appears?)\b)/g,
    read: named,
  },
  { kind: "symbol", pattern: codeNames, read: (piece) => ({ value: piece.replace(/\(\)$/, "") }) },
];

const numbers: readonly Recogniser[] = [
  {
    kind: "number",
    pattern: /(?<![\w.]|[A-Za-z_]-)\d+(?:\.\d+)?(?:st|nd|rd|th)?(?=[a-z%]{0,4}(?!\w))/gi,
    read: (piece) => ({ value: Number.parseFloat(piece) }),
  },
  {
    kind: "number",
    pattern: new RegExp(`\\b(?:${Object.keys(numberWords).join("|")})\\b(?=\\s+\\w)`, "gi"),
    read: (piece) => ({ value: numberWords[piece.toLowerCase()] ?? 0, loose: true }),
  },
];

/** In order: what an earlier one has marked, a later one leaves alone. */
export const recognisers: readonly Recogniser[] = [
  ...literals,
  ...fileNames,
  ...names,
  ...numbers,
  {
    kind: "path",
    pattern: new RegExp(String.raw`\b${inside}([a-z][\w@-]*)${ending}`, "g"),
    read: guessedPlace,
  },
];
