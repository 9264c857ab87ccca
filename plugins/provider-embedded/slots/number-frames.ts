import type { Phrase } from "../phrase/phrase.ts";
import type { Slot } from "./slot.ts";

/** Names a parameter may have, the likeliest first. */
type Names = readonly RegExp[];

/** A way to speak of numbers: for each number of the pattern, the parameters that it goes to. */
interface NumberFrame {
  readonly pattern: RegExp;
  readonly goesTo: readonly (readonly Names[])[];
}

const first = [/^start_?line$/i];
const last = [/^end_?line$/i];
const most = [/^limit$/i, /^max_?results$/i, /^(?:max|top|count|num)/i];
const skipped = [/^offset$/i, /^skip$/i];
const line = [/^line_?number$/i, /^line$/i];
const length = [/^length$/i, /char/i];

const days = [/^days(?:_?ahead)?$/i];
const hours = [/^hours(?:_?ahead)?$/i];

const frames: readonly NumberFrame[] = [
  {
    pattern: /\blines?\s+(\d+)\s*(?:-|to|through|till|until|and|\.{2,})\s*(?:line\s+)?(\d+)/dgi,
    goesTo: [[first], [last]],
  },
  { pattern: /\b(?:from|start(?:ing)?\b.*\bat) line\s+(\d+)/dgi, goesTo: [[first]] },
  { pattern: /\bline\s+(\d+)/dgi, goesTo: [[line]] },
  { pattern: /\b(\d+)(?:st|nd|rd|th)\s+line\b/dgi, goesTo: [[line]] },
  { pattern: /(?<!\bfrom )\bline\s+(\d+)(?!\s*(?:-|to\b|on\b))/dgi, goesTo: [[first, last]] },
  { pattern: /\bskip(?:ping)?(?: the)?(?: first)?\s+(\d+)/dgi, goesTo: [[skipped]] },
  {
    pattern:
      /\b(?:offset|position|starting (?:at|from)|beginning (?:at|with)|from character|from)\s+(\d+)/dgi,
    goesTo: [[skipped]],
  },
  { pattern: /\b(\d+)[- ]days?\b/dgi, goesTo: [[days]] },
  { pattern: /\b(\d+)[- ]hours?\b/dgi, goesTo: [[hours]] },
  { pattern: /\b(\d+) (?:newest|latest|most recent|last|commits|notes|events)\b/dgi, goesTo: [[most]] },
  { pattern: /\b(?:last|latest|newest)\s+(\d+)/dgi, goesTo: [[most]] },
  { pattern: /\b(\d+)\s+(?:chars?|characters|bytes)\b/dgi, goesTo: [[length]] },
  {
    pattern:
      /\b(?:first|top|next|at most|up to|no more than|only|max(?:imum)?(?: of)?|limit(?:ed)?(?: to)?)\s+(\d+)/dgi,
    goesTo: [[most]],
  },
  { pattern: /\b(\d+)\s+(?:results|matches|hits|entries|items|files|lines)\b/dgi, goesTo: [[most]] },
];

/** Days from now that have a name. */
const saidDays: readonly (readonly [RegExp, number])[] = [
  [/\b(?:today|tonight)\b/i, 0],
  [/\btomorrow\b/i, 1],
];

export interface NamedSpan {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

export interface Numbers {
  readonly values: Readonly<Record<string, number>>;
  /** What names its parameter, with the word that joins it: no part of another value. */
  readonly named: readonly NamedSpan[];
  /** Where in the text the numbers stood. */
  readonly places: readonly number[];
}

const slotFor = (
  names: Names,
  slots: readonly Slot[],
  taken: Readonly<Record<string, number>>,
): Slot | undefined =>
  names
    .map((name) =>
      slots.find((slot) => slot.kind === "number" && name.test(slot.name) && !(slot.name in taken)),
    )
    .find((slot) => slot !== undefined);

/** Where each number of the pattern stands in the text. */
function* numbersOf(
  { pattern, goesTo }: NumberFrame,
  text: string,
): Iterable<readonly [place: number, value: number, targets: readonly Names[]]> {
  for (const { indices } of text.matchAll(pattern)) {
    for (const [group, targets] of goesTo.entries()) {
      const [start, end] = (indices as readonly (readonly [number, number])[])[group + 1] ?? [0, 0];
      yield [start, Number(text.slice(start, end)), targets];
    }
  }
}

/** `seed 7`, `a timeout of 30`, `40 steps`: a number beside its parameter's own name. */
function namedNumber(
  { name }: Slot,
  text: string,
): { value: number; place: number; start: number; end: number } | undefined {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replaceAll(/[_\s]+/g, String.raw`[\s_-]+`);
  const join = String.raw`(?:,?\s*\b(?:with|at|and|using)?\s+(?:an?\s+|the\s+)?)`;
  const number = String.raw`(?<number>\d+(?:\.\d+)?)`;
  const after = new RegExp(String.raw`${join}${words}\s*(?:of|to|is|=|:)?\s*${number}(?![\w.])`, "di").exec(
    text,
  );
  const found =
    after ??
    (words.endsWith("s") ? new RegExp(String.raw`${join}${number}\s+${words}\b`, "di").exec(text) : null);
  const [place = 0] = found?.indices?.groups?.["number"] ?? [];
  return found === null
    ? undefined
    : {
        value: Number(found.groups?.["number"]),
        place,
        start: found.index,
        end: found.index + found[0].length,
      };
}

/**
 * Numbers of lines, limits and offsets, by the usual ways to name them. One line alone is the first and the
 * last.
 */
export function framedNumbers({ text }: Phrase, slots: readonly Slot[]): Numbers {
  const values: Record<string, number> = {};
  const places: number[] = [];
  const named: NamedSpan[] = [];
  for (const slot of slots.filter(({ kind, name }) => kind === "number" && name.length > 3)) {
    const found = namedNumber(slot, text);
    if (found === undefined) continue;
    values[slot.name] = found.value;
    places.push(found.place);
    named.push({ name: slot.name, start: found.start, end: found.end });
  }
  for (const [place, value, targets] of frames.flatMap((frame) => [...numbersOf(frame, text)])) {
    if (places.includes(place)) continue;
    const found = targets.map((names) => slotFor(names, slots, values)).filter((slot) => slot !== undefined);
    if (found.length < targets.length) continue;
    for (const { name } of found) values[name] = value;
    places.push(place);
  }
  const words = saidDays.find(([pattern]) => pattern.test(text))?.[1];
  const slot = words === undefined ? undefined : slotFor([/^days_?ahead$/i], slots, values);
  if (slot !== undefined && words !== undefined) values[slot.name] = words;
  return { values, places, named };
}
