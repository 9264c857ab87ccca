import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { compareText } from "@pergola/sdk";
import type { FileState } from "@pergola/sdk/host";
import { digestOf, isSame, stateOf, type Seen } from "../file-states.ts";
import { kindOf, tooLarge, type Draft } from "../journal.ts";
import { LineCounter, patience } from "../line-counter.ts";
import { isSettled, readExactly, type Shadow } from "./shadow.ts";
import { entryOf, lookAt, type Entry, type Snapshot } from "./snapshot.ts";

const unread =
  "Its content was not kept: nobody may read it, or the files in the folder are too many or too large.";
const another = "A folder took the place of a file, or a file that of a folder.";
const atOnce = 64;

interface Found {
  readonly before: Snapshot;
  readonly after: Snapshot;
  readonly shadow: Shadow;
  /** Bytes of the largest file that is read. */
  readonly limit: number;
  /** What calls have left at paths in the meantime: their own records have it. */
  readonly recorded: ReadonlyMap<string, FileState | null>;
}

/** What stood there at the first look. */
function stateThen(entry: Entry | undefined): FileState | null {
  if (entry === undefined) return null;
  return stateOf(entry, entry.kind, entry.sha256 ?? null);
}

/** What is there now, read where it may have changed. */
function seeNow(file: string, limit: number): Seen {
  const stats = lookAt(file);
  if (stats === undefined) return { state: null };
  const entry = entryOf(stats);
  if (entry.kind !== "file" || entry.size > limit) return { state: stateOf(entry, entry.kind) };
  const bytes = readExactly(file, entry);
  return { state: stateOf(entry, entry.kind, digestOf(bytes)), ...(bytes && { bytes }) };
}

/**
 * Whether an entry may be another than before, which a folder that stays one is not. What was written to just
 * before the look may have been written to again.
 */
const mayDiffer = (before: Entry, after: Entry | undefined): boolean =>
  !(before.kind === "directory" && after?.kind === "directory") &&
  (before.mark !== after?.mark ||
    before.mode !== after.mode ||
    before.kind !== after.kind ||
    !isSettled(before));

/** Nothing changed, or a call's own record has it. */
const isRecorded = (was: FileState | null, is: FileState | null, known: FileState | null | undefined) =>
  isSame(was, is) || (was === null && is === null) || (known !== undefined && isSame(known, is));

/**
 * What programs have changed between two looks: what went first, then what is another, then what came,
 * folders before what is in them.
 */
export async function findChanges({
  before,
  after,
  shadow,
  limit,
  recorded,
}: Found): Promise<readonly Draft[]> {
  const [drafts, counter]: [Draft[], LineCounter] = [[], new LineCounter(patience.program)];
  const isNew = (file: string): boolean => {
    const folder = path.dirname(file);
    return (
      before.listed.has(folder) || (after.entries.has(folder) && !before.entries.has(folder) && isNew(folder))
    );
  };
  let read = 0;
  for (const file of new Set([...before.entries.keys(), ...after.entries.keys()])) {
    const [old, now] = [before.entries.get(file), after.entries.get(file)];
    if (old === undefined && !isNew(file)) continue;
    if (old !== undefined && !mayDiffer(old, now)) continue;
    if (++read % atOnce === 0) await setImmediate();
    const [was, seen] = [stateThen(old), seeNow(file, limit)];
    const is = seen.state;
    if (isRecorded(was, is, recorded.get(file))) continue;
    const bytes = old?.sha256 === undefined ? undefined : shadow.read(old.sha256);
    const loss = lossOf(was, is, bytes, limit);
    drafts.push({
      path: file,
      kind: kindOf(was, is),
      before: was,
      after: is,
      bytes,
      lines: await counter.count({ state: was, ...(bytes && { bytes }) }, seen),
      ...loss,
    });
  }
  return drafts.toSorted(inOrder);
}

function lossOf(
  was: FileState | null,
  is: FileState | null,
  bytes: Uint8Array | undefined,
  limit: number,
): { readonly lost?: string } {
  if (was !== null && is !== null && was.kind !== is.kind && [was.kind, is.kind].includes("directory"))
    return { lost: another };
  if (was?.kind !== "file" || bytes !== undefined) return {};
  if (was.size > limit) return { lost: tooLarge };
  return { lost: unread };
}

const ranks = { deleted: 0, renamed: 1, modified: 1, created: 2 } as const;

function inOrder(a: Draft, b: Draft): number {
  const byPath = compareText(a.path, b.path);
  return ranks[a.kind] - ranks[b.kind] || (a.kind === "deleted" ? -byPath : byPath);
}
