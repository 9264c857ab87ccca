import type { Phrase } from "../phrase/phrase.ts";
import type { Slot } from "./slot.ts";

/** A way to speak of numbers, and the parameters each of its numbers goes to: the first name that the operation has. */
interface NumberFrame {
  readonly pattern: RegExp;
  readonly slots: readonly (readonly RegExp[])[];
}

const first = /^start_?line$/i;
const last = /^end_?line$/i;
const most = [/^limit$/i, /^max_?results$/i, /^(?:max|top|count|num)/i];
const skipped = [/^offset$/i, /^skip$/i];
const line = [/^line_?number$/i, /^line$/i];

const frames: readonly NumberFrame[] = [
  { pattern: /\blines?\s+(\d+)\s*(?:-|to|through|till|until|and|\.{2,})\s*(?:line\s+)?(\d+)/dgi, slots: [[first], [last]] },
  { pattern: /\bfrom line\s+(\d+)/dgi, slots: [[first]] },
  { pattern: /\bline\s+(\d+)/dgi, slots: [line] },
  { pattern: /\b(\d+)(?:st|nd|rd|th)\s+line\b/dgi, slots: [line] },
  { pattern: /\bskip(?:ping)?(?: the)?(?: first)?\s+(\d+)/dgi, slots: [skipped] },
  { pattern: /\b(?:offset|position|starting (?:at|from)|beginning (?:at|with)|from character|from)\s+(\d+)/dgi, slots: [skipped] },
  { pattern: /\b(\d+)\s+(?:chars?|characters|bytes)\b/dgi, slots: [[/^length$/i, /char/i]] },
  { pattern: /\b(?:first|top|next|at most|up to|no more than|only|max(?:imum)?(?: of)?|limit(?:ed)?(?: to)?)\s+(\d+)/dgi, slots: [most] },
  { pattern: /\b(\d+)\s+(?:results|matches|hits|entries|items|files|lines)\b/dgi, slots: [most] },
];

export interface Numbers {
  readonly values: Readonly<Record<string, number>>;
  /** Where in the text the numbers stood. */
  readonly places: readonly number[];
}

const slotFor = (names: readonly RegExp[], slots: readonly Slot[], taken: Readonly<Record<string, number>>): Slot | undefined =>
  names.map((name) => slots.find((slot) => slot.kind === "number" && name.test(slot.name) && !(slot.name in taken))).find((slot) => slot !== undefined);

/** Numbers of lines, limits and offsets, by the usual ways to name them. One line alone is the first and the last. */
export function framedNumbers(phrase: Phrase, slots: readonly Slot[]): Numbers {
  const values: Record<string, number> = {};
  const places: number[] = [];
  for (const { pattern, slots: wanted } of frames) {
    for (const match of phrase.text.matchAll(pattern)) {
      wanted.forEach((names, index) => {
        const slot = slotFor(names, slots, values);
        const place = match.indices?.[index + 1]?.[0] ?? match.index;
        if (slot === undefined || places.includes(place)) return;
        values[slot.name] = Number(match[index + 1]);
        places.push(place);
      });
    }
  }
  return oneLine(phrase, slots, { values, places });
}

function oneLine(phrase: Phrase, slots: readonly Slot[], found: Numbers): Numbers {
  const match = /\bline\s+(\d+)(?!\s*(?:-|to\b|on\b))/i.exec(phrase.text);
  const ends = [first, last].map((name) => slots.find((slot) => name.test(slot.name))?.name);
  if (match === null || ends.some((name) => name === undefined || name in found.values)) return found;
  if (/\bfrom line\s+$/i.test(phrase.text.slice(0, match.index + match[0].length - (match[1] ?? "").length))) return found;
  const value = Number(match[1]);
  return { values: { ...found.values, ...Object.fromEntries(ends.map((name) => [name, value])) }, places: [...found.places, match.index + match[0].length - (match[1] ?? "").length] };
}
