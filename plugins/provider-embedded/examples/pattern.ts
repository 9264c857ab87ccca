import type { JsonObject, JsonSchema, OperationExample, Properties } from "@pergola/sdk";
import { type Piece, piecesOf, plainText } from "../request/read-request.ts";
import { commonWords, freeWords, questionWords } from "../request/word-key.ts";
import { commonKind, isOfKind, type ValueKind } from "../request/value-kinds.ts";
import { type Leaf, leavesOf, schemaAt, type ValuePath } from "./leaves.ts";

/** A place in an example's sentence where a value stands. */
export interface Gap {
  readonly path: ValuePath;
  readonly kind: ValueKind;
  /** An id begins like the one in the example: with `agent_`, for instance. */
  readonly prefix: string;
  /** The example's value is one bare word, such as the folder `src`: another word may take its place. */
  readonly isWord: boolean;
  /** The example's value is a folder, given by a relative path: “here” may take its place. */
  readonly isFolder: boolean;
  /** A value may begin with a question word, as one among the examples does. */
  readonly takesQuestion: boolean;
  /** The argument has a capital, or a full stop, that the sentence lacks. */
  readonly capital: boolean;
  readonly stop: boolean;
  /** The operation takes dates of their own: none may stand inside the value. */
  readonly withoutDate: boolean;
}

/** An example as a pattern: keys of words, and gaps for values. */
export interface Pattern {
  readonly say: string;
  readonly isQuestion: boolean;
  readonly parts: readonly (string | Gap)[];
  /** The same with “here” for its folder: `list the files here`. Undefined for an example without one. */
  readonly hereParts: readonly (string | Gap)[] | undefined;
  /** The example's arguments; the values of gaps are to be put in. */
  readonly arguments: JsonObject;
  /** Parameters that are to say in words why the call is made. */
  readonly reasons: readonly string[];
  /** How much of a request it pins down: telling words, and values that can hardly be anything else. */
  readonly weight: number;
}

interface Operation {
  readonly parameters: Properties;
  readonly examples: readonly OperationExample[];
}

interface Place {
  readonly start: number;
  readonly end: number;
}

const dateValue = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}))?/;
const timeAfter = /^\s+(?:at\s+)?\d{1,2}:\d{2}/;
const reasonName = /^(?:reason|explanation|thoughts)$/;
const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, "\\$&");

/** Where a value stands in the sentence. */
function placeOf({ value }: Leaf, text: string): Place | undefined {
  const [, day] = dateValue.exec(String(value)) ?? [];
  const sought = day ?? String(value).toLowerCase().replace(/\.$/, "");
  if (sought === "" || freeWords.has(sought)) return undefined;
  const found = new RegExp(String.raw`(?<![\w.])${escaped(sought)}(?!\w)`, "i").exec(text);
  if (found === null) return undefined;
  const end = found.index + sought.length;
  const [time = ""] = (day && timeAfter.exec(text.slice(end))) || [];
  return { start: found.index, end: end + time.length };
}

const nameOf = (path: ValuePath): string => String(path.findLast((step) => typeof step === "string"));

/** The values of a parameter as the examples' sentences have them. */
const valuesOf = ({ examples }: Operation, name: string): readonly string[] =>
  examples.flatMap(({ say, arguments: args }) => {
    const text = plainText(say);
    return leavesOf(args)
      .filter(({ path }) => nameOf(path) === name)
      .flatMap((leaf) => placeOf(leaf, text) ?? [])
      .map(({ start, end }) => text.slice(start, end));
  });

/** What one value tells by itself, whatever stands there in the other examples. */
function ownKind(value: string | number, { format = "" }: JsonSchema): ValueKind | undefined {
  const text = String(value);
  if (typeof value === "number") return "number";
  if (dateValue.test(text)) return "date";
  if (format === "uri" || isOfKind(text, "url")) return "url";
  if (format.startsWith("path")) return "path";
  return (["glob", "path"] as const).find((kind) => isOfKind(text, kind));
}

function kindOf(leaf: Leaf, schema: JsonSchema, values: readonly string[]): ValueKind {
  const value = String(leaf.value);
  const own = ownKind(leaf.value, schema);
  if (own !== undefined) return own;
  const common = commonKind(values);
  if (common !== "text") return common;
  if (/^\p{Lu}\p{Ll}/u.test(value) && values.includes(value)) return "proper";
  return "text";
}

function gapOf(leaf: Leaf, { start, end }: Place, text: string, operation: Operation): Gap {
  const { path } = leaf;
  const value = String(leaf.value);
  const schema = schemaAt(path, operation.parameters);
  const values = valuesOf(operation, nameOf(path));
  const written = text.slice(start, end);
  const kind = kindOf(leaf, schema, values);
  const dates = Object.keys(operation.parameters).some((name) => /date/.test(name));
  return {
    path,
    kind,
    prefix: /^[a-z]+_(?=\w*\d)/.exec(value)?.[0] ?? "",
    isWord: /^[\w-]+$/.test(value),
    isFolder: kind === "path" && !/^[/~]|\w\.\w+$/.test(value),
    takesQuestion: values.some((each) => questionWords.has(each.split(" ", 1)[0] ?? "")),
    capital: /^\p{Lu}/u.test(value) && /^\p{Ll}/u.test(written),
    stop: value.endsWith(".") && !written.endsWith("."),
    withoutDate: dates,
  };
}

/** The sentence's pieces as parts; undefined when a value begins or ends inside a piece. */
function partsOf(
  pieces: readonly Piece[],
  gaps: readonly (Place & { readonly gap: Gap })[],
): readonly (string | Gap)[] | undefined {
  const parts: (string | Gap)[] = [];
  for (const piece of pieces) {
    const place = gaps.find(({ start, end }) => piece.start < end && start < piece.end);
    if (place === undefined) {
      if (!piece.isFree) parts.push(piece.key);
    } else if (piece.start === place.start || isQuoteOf(piece, place)) parts.push(place.gap);
    else if (piece.start < place.start || piece.end > place.end) return undefined;
  }
  const isBeforeDate = (index: number): boolean => {
    const next = parts[index + 1];
    return typeof next === "object" && next.kind === "date";
  };
  return parts.filter((part, index) => !(part === "in" && isBeforeDate(index)));
}

const isQuoteOf = (piece: Piece, { start, end }: Place): boolean =>
  piece.quoted !== undefined && piece.start === start - 1 && piece.end === end + 1;

const isFolderWord = (part: string | Gap | undefined): boolean => part === "folder" || part === "directory";

/** `in src`, `in the folder src` and `in the src folder` become a gap for “here” or “in this folder”. */
function herePartsOf(parts: readonly (string | Gap)[]): readonly (string | Gap)[] | undefined {
  const index = parts.findIndex((part) => typeof part === "object" && part.isFolder);
  const gap = parts[index];
  if (typeof gap !== "object") return undefined;
  const before = index - Number(isFolderWord(parts[index - 1]));
  const after = index + Number(isFolderWord(parts[index + 1]));
  if (parts[before - 1] !== "in") return undefined;
  return [...parts.slice(0, before - 1), { ...gap, kind: "here" }, ...parts.slice(after + 1)];
}

function weightOf(part: string | Gap): number {
  if (typeof part !== "string") return Number(!isOpen(part));
  if (commonWords.has(part)) return 0.1;
  return 1;
}

const isOpen = ({ kind }: Gap): boolean => kind === "text" || kind === "word";

/** A text that the sentence does not hold: another sentence would need another one. */
function isInvented({ path, value }: Leaf, operation: Operation): boolean {
  const { enum: choices, type } = schemaAt(path, operation.parameters);
  if (typeof value !== "string" || choices !== undefined || type !== "string") return false;
  const uses = operation.examples.filter(({ arguments: args }) => args[nameOf(path)] === value).length;
  return uses < 2 && !commonWords.has(value.toLowerCase()) && !/^[a-z_]+$/.test(value);
}

/** The pattern of an example; undefined when another sentence could not be read by it. */
export function patternOf(
  { say, arguments: args }: OperationExample,
  operation: Operation,
): Pattern | undefined {
  const text = plainText(say);
  const leaves = leavesOf(args).map((leaf) => ({ leaf, place: placeOf(leaf, text) }));
  const isChoice = ({ path }: Leaf): boolean => schemaAt(path, operation.parameters).enum !== undefined;
  const gaps = leaves.flatMap(({ leaf, place }) => {
    if (place === undefined || isChoice(leaf)) return [];
    return [{ ...place, gap: gapOf(leaf, place, text, operation) }];
  });
  const invented = leaves
    .filter(({ leaf, place }) => place === undefined && isInvented(leaf, operation))
    .map(({ leaf }) => nameOf(leaf.path));
  const reasons = invented.filter((name) => reasonName.test(name));
  const parts = partsOf(piecesOf(text), gaps);
  if (parts === undefined || (gaps.length > 0 && invented.length > reasons.length)) return undefined;
  return {
    say,
    isQuestion: /\?\s*$/.test(say),
    parts,
    hereParts: herePartsOf(parts),
    arguments: args,
    reasons: gaps.length > 0 ? reasons : [],
    weight: parts.map(weightOf).reduce((sum, weight) => sum + weight, 0),
  };
}
