import type { Json } from "@pergola/sdk";
import type { Mark } from "../marks/mark.ts";
import type { Phrase } from "../phrase/phrase.ts";
import { knownKeys, type Route } from "../router/catalogue.ts";
import { namedChoices } from "./choices.ts";
import { type Draft, freeMarks } from "./draft.ts";
import { bestFrame, giveFrame, givePropers } from "./give-frame.ts";
import { giveLists, giveMarks, giveRecords } from "./give-marks.ts";
import { giveNamed, giveOptionalWords, giveWords } from "./give-words.ts";
import { joinDirectory } from "./join-directory.ts";
import type { FrameMatch } from "./match-frame.ts";
import { framedNumbers } from "./number-frames.ts";
import type { Slot } from "./slot.ts";
import { switchedOn } from "./switches.ts";

export interface Filling {
  readonly arguments: Readonly<Record<string, Json>>;
  /** Required slots without a value. */
  readonly missing: readonly Slot[];
  /** Marks that no slot took. */
  readonly leftover: readonly Mark[];
  /**
   * Slots whose value was picked from bare words: fine to look with, to be confirmed before something
   * changes.
   */
  readonly loose: readonly string[];
  /** The example that the phrase follows; undefined when it follows none. */
  readonly frame: FrameMatch | undefined;
}

type Values = Readonly<Record<string, Json>>;

/**
 * What a like example leaves unsaid, and the defaults of required switches. Only when nothing else was said
 * either.
 */
function giveUnsaid(draft: Draft, phrase: Phrase, route: Route, implied: Values): void {
  const known = knownKeys(route);
  const isUnderstood = !route.careful && [...phrase.keys].every((key) => known.has(key));
  for (const { name, kind, required, schema } of route.slots) {
    if (name in draft.values || !required) continue;
    if (isUnderstood && name in implied) draft.values[name] = implied[name] as Json;
    else if (isUnderstood && kind === "path" && route.nameKeys.has("directory")) draft.values[name] = ".";
    else if (kind === "boolean") draft.values[name] = (schema.default ?? false) as Json;
  }
}

const inOrder = ({ slots }: Route, values: Values): Values =>
  Object.fromEntries(
    slots.filter(({ name }) => name in values).map(({ name }) => [name, values[name] as Json]),
  );

/**
 * Fills an operation's slots from a phrase. `implied` are the unsaid values of the example the phrase is most
 * like.
 */
export function fillSlots(phrase: Phrase, route: Route, implied: Values = {}): Filling {
  const numbers = framedNumbers(phrase, route.slots);
  const draft: Draft = {
    values: { ...numbers.values },
    taken: phrase.marks.filter(
      ({ start, value }) => numbers.places.includes(start) || value === route.name || value === route.tool,
    ),
    loose: [],
  };
  giveNamed(draft, phrase, route);
  const frame = bestFrame(phrase, route, numbers.named);
  if (frame !== undefined) giveFrame(draft, phrase, route, frame);
  const choices = namedChoices(phrase, route);
  draft.taken.push(
    ...phrase.marks.filter(
      ({ kind, value }) => kind === "extension" && Object.values(choices).includes(String(value).slice(1)),
    ),
  );
  Object.assign(draft.values, { ...choices, ...switchedOn(phrase, route.slots), ...draft.values });
  giveRecords(draft, phrase, route);
  giveMarks(draft, phrase, route);
  giveLists(draft, phrase, route);
  joinDirectory(draft, phrase, route);
  givePropers(draft, phrase, route);
  giveWords(draft, phrase, route);
  giveOptionalWords(draft, phrase, route);
  giveUnsaid(draft, phrase, route, implied);
  const missing = route.slots.filter(({ name, required }) => required && !(name in draft.values));
  return {
    arguments: inOrder(route, draft.values),
    missing,
    leftover: freeMarks(draft, phrase.marks),
    loose: draft.loose,
    frame,
  };
}
