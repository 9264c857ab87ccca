import type { Mark } from "../marks/mark.ts";
import { readPhrase } from "../phrase/phrase.ts";
import type { Candidate } from "../router/rank.ts";
import type { PlannedCall } from "./plan.ts";

const joined = /^[\s,]*(?:and|&)?[\s,]*(?:the (?:file|folder) )?$/i;

/** Marks of one kind that stand in a row, joined by commas and "and". */
const areInRow = (text: string, marks: readonly Mark[]): boolean =>
  marks.every(
    (mark, index) => index === 0 || joined.test(text.slice(marks[index - 1]?.end ?? 0, mark.start)),
  );

/**
 * `read a.txt and b.txt`: the same call for each path in the row, when an operation takes one path. Empty
 * when it is not like that.
 */
export function spreadCalls(request: string, { route, filling }: Candidate): readonly PlannedCall[] {
  const slots = route.slots.filter(({ kind }) => kind === "path" || kind === "url");
  const [slot] = slots;
  if (
    slot === undefined ||
    slots.length !== 1 ||
    filling.missing.length > 0 ||
    filling.loose.length > 0 ||
    filling.leftover.length === 0
  )
    return [];
  const phrase = readPhrase(request);
  const row = phrase.marks.filter(({ kind, loose }) => kind === slot.kind && loose !== true);
  if (
    row.length !== filling.leftover.length + 1 ||
    filling.leftover.some(({ kind }) => kind !== slot.kind) ||
    !areInRow(phrase.text, row)
  )
    return [];
  return row.map(({ value }) => ({
    route,
    say: request,
    arguments: { ...filling.arguments, [slot.name]: value },
  }));
}
