import { tailRoom, windowRoom, summaryRoom, type Room } from "./budget.ts";
import { tokensOf, unitsOf, type Entry } from "./entries.ts";

export interface Cut {
  /** What stays of the messages before the cut. */
  readonly head: readonly Entry[];
  readonly dropped: readonly Entry[];
  /** Everything from the cut on. */
  readonly tail: readonly Entry[];
}

type Unit = readonly Entry[];

/**
 * How much a message of the person's choice weighs when not all of them fit; the newest user message is above
 * all.
 */
export type Weight = (entry: Entry) => number;

const weightOf = (unit: Unit, weight: Weight): number => Math.max(...unit.map(weight));

/** The units with a weight that fit, the heaviest first, and among equals the newest. */
function fittingUnits(units: readonly Unit[], weight: Weight, room: number): ReadonlySet<Unit> {
  const chosen = new Set<Unit>();
  let left = room;
  const weighted = units.filter((unit) => weightOf(unit, weight) > 0).toReversed();
  for (const unit of weighted.toSorted((a, b) => weightOf(b, weight) - weightOf(a, weight))) {
    if (tokensOf(unit) > left) continue;
    chosen.add(unit);
    left -= tokensOf(unit);
  }
  return chosen;
}

/**
 * Where the newest units begin that fit into so many tokens; what stays anyway costs nothing. The last one
 * is among them whatever its size.
 */
function cutOf(units: readonly Unit[], pinned: ReadonlySet<Unit>, room: number): number {
  let left = room;
  for (let cut = units.length - 1; cut > 0; cut--) {
    const unit = units[cut - 1] as Unit;
    if (!pinned.has(unit)) left -= tokensOf(unit);
    if (left < 0) return cut;
  }
  return 0;
}

/**
 * Parts a window: the newest units stay as long as they fit, and of those before them what has a weight. When
 * all entries fit they all stay, and only the head is looked at anew.
 */
export function chooseCut(
  head: readonly Entry[],
  entries: readonly Entry[],
  weight: Weight,
  room: Room,
): Cut {
  const old = unitsOf(head);
  const units = unitsOf(entries);
  const last = units.at(-1) ?? [];
  const others = [...old, ...units].filter((unit) => unit !== last);
  const space = windowRoom(room) - summaryRoom(room);
  const pinned = fittingUnits(others, weight, space - tokensOf(last));
  const fixed = tokensOf(old.filter((unit) => pinned.has(unit)).flat());
  let cut = 0;
  if (fixed + tokensOf(entries) > space)
    cut = cutOf(units, pinned, tailRoom(room, tokensOf([...pinned, last].flat())));
  const before = [...old, ...units.slice(0, cut)];
  return {
    head: before.filter((unit) => pinned.has(unit)).flat(),
    dropped: before.filter((unit) => !pinned.has(unit)).flat(),
    tail: units.slice(cut).flat(),
  };
}
