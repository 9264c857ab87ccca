import type { Json, OperationExample } from "@pergola/sdk";
import { isAction } from "../language/actions.ts";
import { keyOf } from "../language/concepts.ts";
import { courtesyLength } from "../language/politeness.ts";
import { prepositions } from "../language/prepositions.ts";
import { type Piece, piecesOf } from "../phrase/pieces.ts";
import { type Phrase, plainText, readPhrase } from "../phrase/phrase.ts";
import { isAddress, type Shape, shapeOf } from "./shapes.ts";
import type { Slot } from "./slot.ts";

/** Where in the arguments a value stands: `["newTodos", 0, "title"]`. */
export type Path = readonly (string | number)[];

/** A gap in an example where a value stood. */
export interface Gap {
  readonly path: Path;
  readonly kind: "number" | "date" | "choice" | "mark" | Shape;
  readonly choices: readonly string[];
  /** Keys of the parameter's name, which may stand before its value. */
  readonly nouns: ReadonlySet<string>;
  /** What ids begin with in the example, such as `agent_`; "" when with nothing of the kind. */
  readonly prefix: string;
  readonly required: boolean;
  /** The value is told on, as what somebody said: its words mean nothing to the guide. */
  readonly told: boolean;
  /** The example writes the value with a capital, or a full stop, that the phrase lacks. */
  readonly capital: boolean;
  readonly stop: boolean;
}

/** An example as a pattern: the keys of its words, and gaps for its values. */
export interface Frame {
  /** The example's sentence. */
  readonly say: string;
  readonly parts: readonly (string | Gap)[];
  /** Words that may stand before a value: `branch` in `switch to the branch main`. */
  readonly nouns: ReadonlySet<string>;
  /** The arguments of the example that its words imply. Values of gaps are to be put in. */
  readonly given: Readonly<Record<string, Json>>;
}

interface Leaf {
  readonly path: Path;
  readonly value: string | number;
}

function leavesOf(value: Json, path: Path): readonly Leaf[] {
  if (typeof value === "string" || typeof value === "number") return [{ path, value }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    leavesOf(inner, [...path, Array.isArray(value) ? Number(name) : name]),
  );
}

interface Place {
  readonly start: number;
  readonly end: number;
}

const spoken = (value: string): string => value.toLowerCase().replace(/\.$/, "");

/** A day and a time are said in more than one way. */
const asDate = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}))?/;
const timeAfter = /^\s+(?:at\s+)?\d{1,2}:\d{2}/;

function placeOf({ value }: Leaf, text: string): Place | undefined {
  const [, day] = typeof value === "string" ? (asDate.exec(value) ?? []) : [];
  const sought = day ?? (typeof value === "number" ? String(value) : spoken(value));
  const found = new RegExp(
    String.raw`(?<![\w.])${sought.replaceAll(/[.*+?^${}()|[\]\\/-]/g, "\\$&")}(?!\w)`,
    "i",
  ).exec(text);
  if (found === null || sought === "") return undefined;
  const end = found.index + sought.length;
  return {
    start: found.index,
    end: end + (day === undefined ? 0 : (timeAfter.exec(text.slice(end))?.[0].length ?? 0)),
  };
}

/**
 * The schema's slot at a path; a list of texts stands for its elements, a list of records for their fields.
 */
function slotAt([name, ...rest]: Path, slots: readonly Slot[]): Slot | undefined {
  const slot = slots.find((each) => each.name === name);
  if (slot === undefined || rest.length === 0) return slot;
  const [, ...inner] = rest;
  return inner.length === 0 ? slot.items[0] : slotAt(inner, slot.items);
}

/** Kinds whose marks are found by other means. */
const marked: ReadonlySet<string> = new Set(["path", "glob", "url", "boolean"]);

function gapOf(
  { path, value }: Leaf,
  { start, end }: Place,
  text: string,
  slots: readonly Slot[],
  shapes: (slot: string) => Shape,
  chosen: ReadonlySet<string>,
): Gap | undefined {
  const slot = slotAt(path, slots);
  if (slot === undefined || slot.kind === "boolean" || isClosed({ path, value }, slots)) return undefined;
  const said = text.slice(start, end);
  const kind = marked.has(slot.kind)
    ? "mark"
    : slot.kind === "number"
      ? "number"
      : slot.kind === "date" && asDate.test(String(value))
        ? "date"
        : slot.kind;
  return {
    path,
    kind:
      kind === "number" || kind === "date" || kind === "choice" || kind === "mark"
        ? kind
        : kind === "id"
          ? "id"
          : isAddress(String(value))
            ? "address"
            : shapes(String(path.findLast((step) => typeof step === "string"))),
    choices: (slot.schema.enum ?? []).map(String).filter((choice) => !isAction(choice) || chosen.has(choice)),
    nouns: new Set(
      slot.name
        .toLowerCase()
        .split(/[^a-z]+/)
        .map(keyOf),
    ),
    prefix: /^[a-z]+_(?=\w*\d)/.exec(String(value))?.[0] ?? "",
    required: slots.some(({ name, required }) => name === path[0] && required),
    told: slot.role === "content" || told.test(slot.name),
    capital: /^\p{Lu}/u.test(String(value)) && /^\p{Ll}/u.test(said),
    stop: String(value).endsWith(".") && !said.endsWith("."),
  };
}

/** Beside contents: what somebody else is to do. */
const told = /^task$/;

function shapesOf(examples: readonly OperationExample[]): (slot: string) => Shape {
  const values = new Map<string, string[]>();
  for (const { say, arguments: args } of examples) {
    const text = plainText(say);
    for (const leaf of leavesOf(args, [])) {
      const place = placeOf(leaf, text);
      const name = String(leaf.path.findLast((step) => typeof step === "string"));
      if (place !== undefined)
        values.set(name, [...(values.get(name) ?? []), text.slice(place.start, place.end)]);
    }
  }
  return (slot) => shapeOf(values.get(slot) ?? []);
}

function frameOf(
  { say, arguments: args }: OperationExample,
  slots: readonly Slot[],
  shapes: (slot: string) => Shape,
  nouns: ReadonlySet<string>,
  chosen: ReadonlySet<string>,
): Frame | undefined {
  const text = plainText(say);
  const leaves = leavesOf(args, []).map((leaf) => ({ leaf, place: placeOf(leaf, text) }));
  const gaps = leaves.flatMap(({ leaf, place }) => {
    const gap = place === undefined ? undefined : gapOf(leaf, place, text, slots, shapes, chosen);
    return gap === undefined || place === undefined ? [] : [{ ...place, gap }];
  });
  const isUnsaid = leaves.some(
    ({ leaf, place }) =>
      place === undefined && slotAt(leaf.path, slots)?.kind === "text" && !isConstant(leaf, slots),
  );
  const isMarked = gaps.length > 0 && gaps.every(({ gap }) => gap.kind === "mark");
  const given = Object.fromEntries(
    Object.entries(args).filter(([name, value]) => isKept(name, value, gaps, slots)),
  );
  const isWhole = gaps.length > 0 || Object.keys(given).length === Object.keys(args).length;
  if (!isWhole || isUnsaid || isMarked || isQuoted(readPhrase(say), gaps)) return undefined;
  const start = courtesyLength(text);
  const pieces = piecesOf(text).filter((piece) => piece.start >= start);
  const parts = pieces.flatMap((piece: Piece): readonly (string | Gap)[] => {
    const at = gaps.find(({ start, end }) => piece.start < end && start < piece.end);
    if (at === undefined) return piece.isArticle && piece.key !== ":" ? [] : [piece.key];
    return piece.start <= at.start ? [at.gap] : [];
  });
  const isBeforeDate = (index: number): boolean => {
    const next = parts[index + 1];
    return typeof next === "object" && next.kind === "date";
  };
  const bare = parts.filter(
    (part, index) => typeof part !== "string" || !prepositions.has(part) || !isBeforeDate(index),
  );
  return { say, parts: bare, nouns, given };
}

/** Where the values are quoted or look like code, their marks say enough. */
const isQuoted = ({ marks }: Phrase, gaps: readonly (Place & { readonly gap: Gap })[]): boolean =>
  gaps.some(
    (gap) =>
      gap.gap.kind !== "mark" &&
      marks.some(
        (mark) =>
          literal.has(mark.kind) && mark.loose !== true && mark.start < gap.end && gap.start < mark.end,
      ),
  );
const literal: ReadonlySet<string> = new Set(["text", "symbol", "regex", "glob", "path", "extension"]);

/**
 * Arguments that the words of the example stand for: those with a gap, choices, and the names of formulas and
 * the like.
 */
const isKept = (
  name: string,
  value: Json,
  gaps: readonly { readonly gap: Gap }[],
  slots: readonly Slot[],
): boolean =>
  isEverything(value) ||
  gaps.some(({ gap }) => gap.path[0] === name) ||
  slots.some(
    (slot) =>
      slot.name === name && (slot.kind === "choice" || slot.kind === "boolean" || constants.test(name)),
  );
const constants = /^(?:formula|action|mode|status)$/;

/** `all` stands for `every server` as well as for `all servers`. */
const isEverything = (value: Json): boolean =>
  value === "all" || (Array.isArray(value) && value.length === 1 && value[0] === "all");

/**
 * A word of a closed set that the operation names, such as a formula; free texts are never taken over from an
 * example.
 */
const isClosed = ({ path, value }: Leaf, slots: readonly Slot[]): boolean => {
  const slot = slotAt(path, slots);
  return isEverything(value) || (slot?.required === true && constants.test(slot.name));
};

/** The same, and a reason that the phrase leaves unsaid. */
const isConstant = (leaf: Leaf, slots: readonly Slot[]): boolean =>
  slotAt(leaf.path, slots)?.role === "reason" || isClosed(leaf, slots);

/**
 * The examples of an operation as patterns. An example whose phrase does not hold its own values gives none.
 */
export function framesOf(
  examples: readonly OperationExample[],
  slots: readonly Slot[],
  nouns: ReadonlySet<string>,
): readonly Frame[] {
  const shapes = shapesOf(examples);
  const chosen = new Set(
    examples.flatMap(({ arguments: args }) => leavesOf(args, []).map(({ value }) => String(value))),
  );
  return examples.flatMap((example) => frameOf(example, slots, shapes, nouns, chosen) ?? []);
}
