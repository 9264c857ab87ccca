import type { Json } from "@pergola/sdk";
import type { Mark } from "../marks/mark.ts";
import type { Route } from "../router/catalogue.ts";
import type { Phrase } from "../phrase/phrase.ts";
import { namedChoices, offeredChoices } from "./choices.ts";
import { fitOf } from "./fit.ts";
import { freeWords, reasonIn } from "./free-words.ts";
import { globOf } from "./glob.ts";
import { framedNumbers } from "./number-frames.ts";
import { pairRecords } from "./records.ts";
import type { Slot } from "./slot.ts";
import { switchedOn } from "./switches.ts";

export interface Filling {
  readonly arguments: Readonly<Record<string, Json>>;
  /** Required slots without a value. */
  readonly missing: readonly Slot[];
  /** Marks that no slot took. */
  readonly leftover: readonly Mark[];
  /** Slots whose value was picked from bare words: fine to look with, to be confirmed before something changes. */
  readonly loose: readonly string[];
}

interface Draft {
  readonly values: Record<string, Json>;
  readonly taken: Mark[];
  readonly loose: string[];
}

const valueFor = (mark: Mark, { kind }: Slot): Json => (kind === "glob" ? (globOf(mark) ?? mark.value) : kind === "number" ? mark.value : String(mark.value));
const isGlobScope = ({ kind, name }: Slot): boolean => (kind === "text" || kind === "glob") && /^include|^files?Pattern|glob/i.test(name);
const free = (draft: Draft, marks: readonly Mark[]): readonly Mark[] => marks.filter((mark) => !draft.taken.includes(mark));

/** Gives each mark to the slot it suits best, best pairs first. */
function giveMarks(draft: Draft, phrase: Phrase, route: Route, marks: readonly Mark[]): void {
  const cues = route.examples.flatMap((example) => example.cues);
  const slots = route.slots.filter(({ name, kind }) => kind !== "list" && kind !== "records" && !(name in draft.values));
  const pairs = marks.flatMap((mark) => slots.map((slot) => ({ mark, slot, fit: fitOf(mark, slot, phrase, cues) + (slot.required ? 0.2 : 0) })));
  for (const { mark, slot, fit } of pairs.sort((a, b) => b.fit - a.fit)) {
    if (fit < 0.3 || draft.taken.includes(mark) || slot.name in draft.values) continue;
    draft.values[slot.name] = isGlobScope(slot) ? (mark.kind === "extension" ? `**/*${String(mark.value)}` : mark.value) : valueFor(mark, slot);
    draft.taken.push(mark);
    if (mark.loose === true) draft.loose.push(slot.name);
  }
}

function giveLists(draft: Draft, phrase: Phrase, route: Route): void {
  for (const slot of route.slots.filter(({ kind, name }) => kind === "list" && !(name in draft.values))) {
    const [item] = slot.items as readonly [Slot];
    const marks = item.kind === "text" ? [] : free(draft, phrase.marks).filter((mark) => fitOf(mark, item, phrase, []) > 1 && mark.kind !== "here");
    const values = item.kind === "text" && /option|choice/i.test(slot.name) ? offeredChoices(phrase) : marks.map((mark) => valueFor(mark, item));
    if (values.length === 0) continue;
    draft.values[slot.name] = values;
    draft.taken.push(...marks);
  }
}

function giveRecords(draft: Draft, phrase: Phrase, route: Route): void {
  for (const slot of route.slots.filter(({ kind }) => kind === "records")) {
    const { records, marks } = pairRecords(phrase, slot);
    if (records.length === 0) continue;
    draft.values[slot.name] = records;
    draft.taken.push(...marks);
  }
}

/** A file named beside the directory it is in or goes to: `a.txt in the docs folder` is `docs/a.txt`. */
function joinDirectory(draft: Draft, phrase: Phrase, route: Route): void {
  const paths = route.slots.filter(({ kind }) => kind === "path");
  const goal = paths.find(({ role }) => role === "target") ?? (paths.length === 1 ? paths[0] : undefined);
  const folder = phrase.marks.find((mark) => mark.kind === "path" && mark.directory === true && mark.loose !== true && /\b(?:in|into|inside|under|to)\s+(?:the\s+|my\s+)?$/i.test(phrase.text.slice(0, mark.start)));
  if (goal === undefined || folder === undefined) return;
  const source = paths.find(({ role }) => role === "source");
  const base = String(draft.values[source?.name ?? goal.name] ?? "").split(/[/\\]/).at(-1) ?? "";
  const given = draft.values[goal.name];
  if (!/\.\w+$/.test(base) || (source === undefined ? given === folder.value || draft.taken.includes(folder) || String(given).includes("/") : given !== folder.value)) return;
  draft.values[goal.name] = `${String(folder.value).replace(/\/$/, "")}/${base}`;
  if (!draft.taken.includes(folder)) draft.taken.push(folder);
}

/** `name=value` and `name: value` with a parameter's own name. */
function giveNamed(draft: Draft, phrase: Phrase, route: Route): void {
  for (const { name, kind } of route.slots) {
    const match = new RegExp(`\\b${name}\\s*[=:]\\s*("([^"]*)"|'([^']*)'|\\S+)`).exec(phrase.text);
    if (match === null) continue;
    const text = match[2] ?? match[3] ?? match[1] ?? "";
    draft.values[name] = kind === "number" ? Number(text) : kind === "boolean" ? text === "true" : text;
    draft.taken.push(...phrase.marks.filter((mark) => mark.start >= match.index && mark.end <= match.index + match[0].length));
  }
}

function giveWords(draft: Draft, phrase: Phrase, route: Route): void {
  const cues = route.examples.flatMap((example) => example.cues);
  const own = new Set([...route.nameKeys, ...route.actions]);
  for (const slot of route.slots.filter(({ name, required }) => required && !(name in draft.values))) {
    const wordy = slot.kind === "text" || ((slot.kind === "symbol" || slot.kind === "other") && !route.careful);
    const words = slot.role === "reason" ? reasonIn(phrase) : wordy ? freeWords(phrase, slot, cues, draft.taken, own) : "";
    if (words === "" || (slot.kind === "symbol" && /\s/.test(words))) continue;
    draft.values[slot.name] = words;
    draft.taken.push(...free(draft, phrase.marks).filter((mark) => slot.role !== "content" && words.includes(phrase.text.slice(mark.start, mark.end))));
    if (slot.role !== "reason") draft.loose.push(slot.name);
  }
}

/** Values that a like example leaves unsaid, and the defaults of required switches. */
function giveUnsaid(draft: Draft, phrase: Phrase, route: Route, implied: Readonly<Record<string, Json>>): void {
  const known = new Set([...route.nameKeys, ...route.aboutKeys, ...route.examples.flatMap(({ keys }) => [...keys])]);
  const understood = [...phrase.keys].every((key) => known.has(key));
  for (const { name, kind, required, schema } of route.slots) {
    if (name in draft.values || !required) continue;
    if (!route.careful && understood && name in implied) draft.values[name] = implied[name] as Json;
    else if (kind === "path" && !route.careful && understood && route.nameKeys.has("directory")) draft.values[name] = ".";
    else if (kind === "boolean") draft.values[name] = (schema.default ?? false) as Json;
  }
}

/** Fills an operation's slots from a phrase. `implied` are the unsaid values of the example the phrase is most like. */
export function fillSlots(phrase: Phrase, route: Route, implied: Readonly<Record<string, Json>> = {}): Filling {
  const numbers = framedNumbers(phrase, route.slots);
  const draft: Draft = { values: { ...numbers.values }, taken: phrase.marks.filter(({ start }) => numbers.places.includes(start)), loose: [] };
  giveNamed(draft, phrase, route);
  Object.assign(draft.values, namedChoices(phrase, route.slots), switchedOn(phrase, route.slots));
  giveRecords(draft, phrase, route);
  giveMarks(draft, phrase, route, free(draft, phrase.marks));
  giveLists(draft, phrase, route);
  joinDirectory(draft, phrase, route);
  giveWords(draft, phrase, route);
  giveUnsaid(draft, phrase, route, implied);
  const missing = route.slots.filter(({ name, required }) => required && !(name in draft.values));
  return { arguments: inOrder(route, draft.values), missing, leftover: free(draft, phrase.marks), loose: draft.loose };
}

const inOrder = ({ slots }: Route, values: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> =>
  Object.fromEntries(slots.filter(({ name }) => name in values).map(({ name }) => [name, values[name] as Json]));
