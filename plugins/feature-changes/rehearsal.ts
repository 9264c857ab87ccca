import path from "node:path";
import type { Files, JsonObject } from "@pergola/sdk";
import type {
  FileState,
  Rehearsal,
  RehearsedEnd,
  TextDiff,
  PreviewedFile,
  PreviewedState,
} from "@pergola/sdk/host";
import { isSame, type Seen } from "./file-states.ts";
import { kindOf } from "./journal.ts";
import { RehearsedFiles } from "./rehearsed-files.ts";
import { diffOf } from "./text-diff.ts";
import { wireMode } from "./wire-change.ts";

/** Files of a preview, and characters of all their diffs. */
const [mostFiles, mostCharacters] = [64, 2 ** 20];

interface Rules {
  /** Bytes of the largest file that is looked into. */
  readonly limit: number;
  /** Changes are kept, so that they can be taken back. */
  readonly keeps: boolean;
  readonly now: () => number;
  readonly redact: (text: string) => string;
}

/** What would become of one path. */
interface Outcome {
  readonly path: string;
  readonly from: string | null;
  readonly before: Seen;
  readonly after: Seen;
}

const absent: Seen = { state: null };

/** A folder that is made for what is put into it needs no telling. */
function isMerelyAbove({ path: at, after }: Outcome, outcomes: readonly Outcome[]): boolean {
  return after.state?.kind === "directory" && outcomes.some((other) => path.dirname(other.path) === at);
}

function outcomesOf({ before, after, from }: RehearsedFiles): readonly Outcome[] {
  const moved = new Set(from.values());
  const found = [...after].flatMap(([at, seen]): readonly Outcome[] => {
    const origin = from.get(at) ?? null;
    const was = before.get(origin ?? at) ?? absent;
    if (origin === null && (moved.has(at) || isSame(was.state, seen.state))) return [];
    return [{ path: at, from: origin, before: was, after: seen }];
  });
  return found.filter((one) => !isMerelyAbove(one, found));
}

const shownState = (state: FileState | null): PreviewedState | null =>
  state && { size: state.size, sha256: state.sha256, mode: wireMode(state.mode) };

const isFileOrAbsent = ({ state, bytes }: Seen): boolean =>
  state === null || (state.kind === "file" && bytes !== undefined);

async function diffBetween({ before, after }: Outcome, { redact }: Rules): Promise<TextDiff | null> {
  if (!isFileOrAbsent(before) || !isFileOrAbsent(after)) return null;
  const none = new Uint8Array();
  return (await diffOf(before.bytes ?? none, after.bytes ?? none, redact)) ?? null;
}

const charactersIn = (diff: TextDiff | null): number =>
  diff?.hunks.reduce((sum, { lines }) => sum + lines.reduce((all, line) => all + line.length + 1, 0), 0) ?? 0;

const withoutHunks = (diff: TextDiff): TextDiff => ({ ...diff, truncated: true, hunks: [] });

async function shownFiles(outcomes: readonly Outcome[], rules: Rules) {
  const files: PreviewedFile[] = [];
  let [left, isCut] = [mostCharacters, false];
  for (const outcome of outcomes.slice(0, mostFiles)) {
    const { path: at, from, before, after } = outcome;
    const diff = await diffBetween(outcome, rules);
    const length = charactersIn(diff);
    const fits = length <= left;
    if (fits) left -= length;
    isCut ||= !fits || diff?.truncated === true;
    files.push({
      path: at,
      from,
      change: from === null ? kindOf(before.state, after.state) : "renamed",
      before: shownState(before.state),
      after: shownState(after.state),
      diff: diff && (fits ? diff : withoutHunks(diff)),
    });
  }
  return { files, cut: cutNote(outcomes.length, isCut) };
}

function cutNote(count: number, isCut: boolean): string | null {
  if (count > mostFiles) return `${mostFiles} of ${count} files are shown.`;
  return isCut ? "It is too long to be shown whole." : null;
}

/** A file that is too large to be kept, and a link, cannot be put back. */
function isKept({ from, before, after }: Outcome): boolean {
  if (from !== null || after.state?.kind === "directory") return true;
  return isFileOrAbsent(before) && isFileOrAbsent(after);
}

/** In the order of their paths, so that the same basis has the same digest. */
function basisOf({ before }: RehearsedFiles): readonly JsonObject[] {
  const sorted = [...before].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return sorted.map(([at, { state }]): JsonObject => {
    if (state === null) return { path: at, missing: true };
    const { kind, sha256, size } = state;
    return { path: at, kind, sha256, ...(kind === "file" && { size }) };
  });
}

/** Opens files on which a call can be tried out. */
export function rehearse(disk: Files, rules: Rules): Rehearsal {
  const files = new RehearsedFiles(disk, rules.limit, rules.now);
  return {
    files,
    async end(): Promise<RehearsedEnd> {
      const outcomes = outcomesOf(files);
      const shown = await shownFiles(outcomes, rules);
      return { ...shown, revertible: rules.keeps && outcomes.every(isKept), basis: basisOf(files) };
    },
  };
}
