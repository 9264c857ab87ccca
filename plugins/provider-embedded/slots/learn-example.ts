import type { Json, OperationExample } from "@pergola/sdk";
import type { Mark, MarkKind } from "../marks/mark.ts";
import { naturalText } from "../phrase/natural-text.ts";
import { type Phrase, readPhrase } from "../phrase/phrase.ts";
import { globOf } from "./glob.ts";
import type { Slot } from "./slot.ts";
import { type Surroundings, surroundingsOf } from "./surroundings.ts";

/** Where an example shows a slot's value. */
export interface Cue extends Surroundings {
  readonly slot: string;
  readonly kind: MarkKind | "words";
}

/** What an example teaches: the words that point to the operation, and where its slots are found. */
export interface LearnedExample {
  readonly say: string;
  readonly arguments: Readonly<Record<string, Json>>;
  /** The example for the sentence embedding, its marks replaced by plain nouns. */
  readonly natural: string;
  /** Keys of the phrase without the words that fill a slot. */
  readonly keys: ReadonlySet<string>;
  readonly cues: readonly Cue[];
  /** The words of a slot stand bare in the phrase, so that other words may stand there. */
  readonly open: boolean;
  /** Values the phrase does not name. */
  readonly implied: Readonly<Record<string, Json>>;
}

interface Place {
  readonly slot: string;
  readonly kind: MarkKind | "words";
  readonly start: number;
  readonly end: number;
}

const same = (mark: Mark, value: Json): boolean => mark.value === value || globOf(mark) === value;

function placesOf(slot: string, value: Json, phrase: Phrase): readonly Place[] {
  if (Array.isArray(value)) return value.flatMap((each: Json) => placesOf(slot, each, phrase));
  const mark = phrase.marks.find((each) => same(each, value));
  if (mark !== undefined) return [{ slot, kind: mark.kind, start: mark.start, end: mark.end }];
  if (typeof value !== "string" || value.length < 2) return [];
  const start = phrase.text.toLowerCase().indexOf(value.toLowerCase());
  return start < 0 ? [] : [{ slot, kind: "words", start, end: start + value.length }];
}

/** Compares an example's phrase with its arguments. */
export function learnExample(
  { say, arguments: args }: OperationExample,
  slots: readonly Slot[],
): LearnedExample {
  const phrase = readPhrase(say);
  const places = Object.entries(args).flatMap(([name, value]) => placesOf(name, value, phrase));
  const cues = places.map(({ slot, kind, start, end }) => ({
    slot,
    kind,
    ...surroundingsOf(phrase, start, end),
  }));
  const bare = places.filter(({ kind }) => kind === "words");
  const filled = phrase.words
    .filter(({ start, end }) => bare.some((place) => place.start <= start && end <= place.end))
    .map(({ key }) => key);
  const implied = Object.fromEntries(
    Object.entries(args).filter(([name, value]) => isImplied(name, value, places, slots)),
  );
  const keys = new Set([...phrase.keys].filter((key) => !filled.includes(key)));
  return { say, arguments: args, natural: naturalText(phrase), keys, cues, open: bare.length > 0, implied };
}

/**
 * A path, number or switch that the phrase leaves to be understood. Texts are never taken over from an
 * example.
 */
function isImplied(name: string, value: Json, places: readonly Place[], slots: readonly Slot[]): boolean {
  const kind = slots.find((slot) => slot.name === name)?.kind;
  if (
    kind === undefined ||
    kind === "text" ||
    kind === "date" ||
    kind === "records" ||
    kind === "list" ||
    value === false
  )
    return false;
  return !places.some(({ slot }) => slot === name);
}
