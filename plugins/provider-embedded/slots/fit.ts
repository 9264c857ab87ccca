import { words } from "../language/words.ts";
import type { Mark, MarkKind } from "../marks/mark.ts";
import { isPathLike } from "../marks/path-like.ts";
import type { Phrase } from "../phrase/phrase.ts";
import type { Cue } from "./learn-example.ts";
import type { Slot, SlotKind, SlotRole } from "./slot.ts";
import { surroundingsOf } from "./surroundings.ts";

/** How well a kind of mark suits a kind of slot; what is absent does not suit. */
const suits: Readonly<Partial<Record<SlotKind, Readonly<Partial<Record<MarkKind, number>>>>>> = {
  path: { path: 3, name: 2.5, here: 2 },
  url: { url: 3 },
  glob: { glob: 3, extension: 3, path: 2, name: 2, text: 1.5, symbol: 0.5 },
  id: { id: 3, text: 1, symbol: 0.5 },
  symbol: { symbol: 3, text: 2, name: 1.5, path: 0.4 },
  number: { number: 3 },
  date: { date: 3 },
};

/** Texts differ by what they are for: a query may be any mark, a content only what was quoted. */
const textSuits: Readonly<Record<SlotRole, Readonly<Partial<Record<MarkKind, number>>>>> = {
  query: { text: 3, regex: 3, symbol: 2.2, name: 1.5, path: 0.8 },
  source: { text: 3, symbol: 2, name: 1 },
  target: { text: 3, symbol: 2, name: 1 },
  content: { text: 3 },
  scope: { glob: 3, extension: 3 },
  reason: {},
  free: { text: 1 },
};

/** Words that announce a role. */
const announces: Readonly<Partial<Record<SlotRole, ReadonlySet<string>>>> = {
  source: words("replace change turn update rename from instead typo every all mention move"),
  target: words("to with by into as for -> set becom name new"),
  scope: words("in under insid within below from of content"),
};

const cueScore = (
  cue: Cue,
  { before, after }: { readonly before: readonly string[]; readonly after: string | undefined },
): number =>
  (before[0] !== undefined && cue.before[0] === before[0] ? 2 + (cue.before[1] === before[1] ? 0.5 : 0) : 0) +
  (after !== undefined && cue.after === after ? 0.3 : 0);

/**
 * What an id begins with tells what it is the id of, and so what the parameter is called; other ids may stand
 * anywhere.
 */
const holders: Readonly<Record<string, RegExp>> = {
  res: /result/i,
  call: /result|call/i,
  toolu: /result|call/i,
  agent: /agent/i,
  mem: /mem/i,
};

function isForeignId({ kind, value }: Mark, { name }: Slot): boolean {
  const holder = kind === "id" ? holders[String(value).split("_")[0] ?? ""] : undefined;
  return holder !== undefined && !holder.test(name) && !/^id$/i.test(name);
}

function kindScore(mark: Mark, slot: Slot): number {
  const { kind, name, role, required } = slot;
  if (isForeignId(mark, slot)) return 0;
  if (kind === "path" && mark.kind === "url") return slot.schema.format === "path-or-uri" ? 3 : 0;
  if (kind === "path" && mark.kind === "text") return isPathLike(String(mark.value)) ? 3 : required ? 1.5 : 0;
  if (
    kind === "path" &&
    mark.kind === "path" &&
    /dir|folder|repo|workspace/i.test(name) &&
    mark.directory !== true
  )
    return required ? 0.5 : 0.2;
  if (mark.kind === "name" && kind === "text" && /^(?:name|title)$|_name$/.test(name)) return 3;
  if (mark.kind === "name" && kind === "path" && /repo|workspace/i.test(name)) return 0;
  if (kind === "path" && mark.kind === "here" && role === "target") return 0;
  return (kind === "text" ? textSuits[role] : (suits[kind] ?? {}))[mark.kind] ?? 0;
}

/** An address goes where the examples have one. */
const addressScore = ({ name }: Slot, cues: readonly Cue[]): number =>
  cues.some(({ slot, kind }) => slot === name && kind === "address") ? 3 : 0;

/** How well a mark fills a slot in this place of the phrase; 0 when it cannot. */
export function fitOf(mark: Mark, slot: Slot, phrase: Phrase, cues: readonly Cue[]): number {
  const base = mark.kind === "address" ? addressScore(slot, cues) : kindScore(mark, slot);
  if (base === 0) return 0;
  const around = surroundingsOf(phrase, mark.start, mark.end);
  const learned = Math.max(
    0,
    ...cues.filter((cue) => cue.slot === slot.name).map((cue) => cueScore(cue, around)),
  );
  if (slot.kind === "number" && learned === 0 && !slot.required) return 0;
  const instead = around.before[0] === "of" && around.before[1] === "instead";
  const announced = around.before[0] !== undefined && announces[slot.role]?.has(around.before[0]) === true;
  if (slot.role === "scope" && !slot.required && learned === 0 && !announced && slot.kind === "path")
    return 0;
  return base + learned + (announced ? 1.5 : 0) + (instead && slot.role === "source" ? 3 : 0);
}
