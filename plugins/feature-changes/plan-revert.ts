import type { Files } from "@pergola/sdk";
import type { FileState } from "@pergola/sdk/host";
import { isSame, see } from "./file-states.ts";
import { findReason } from "./find-reason.ts";
import { placeOf } from "./place-of.ts";
import type { Records, StoredChange } from "./records.ts";

/** What a path is to hold. */
export interface Step {
  readonly path: string;
  /** What it holds when its turn comes; else it has changed since. */
  readonly expected: FileState | null;
  readonly target: FileState | null;
  readonly contentId: string | null;
  /** The changes that are taken back by it. */
  readonly undoes: readonly string[];
}

export interface Move {
  readonly from: string;
  readonly to: string;
  /** The changes that are taken back by it. */
  readonly undoes: readonly string[];
}

/** What is done together, in this order: files, folders, and then something is renamed. */
export interface Stage {
  readonly files: Map<string, Step>;
  readonly folders: Map<string, Step>;
  move?: Move;
}

export interface RevertPlan {
  readonly stages: readonly Stage[];
  readonly refused: ReadonlyMap<string, string>;
}

const unsure =
  "The service was cut while it was changed, and what is there is neither what was nor what was to be.";

const isFolder = ({ before, after }: StoredChange): boolean =>
  before?.kind === "directory" || after?.kind === "directory";

/** What the disk would hold after the steps that are planned so far. */
export class Planned {
  readonly stages: Stage[] = [{ files: new Map(), folders: new Map() }];
  readonly #files: Files;
  readonly #limit: number;

  constructor(files: Files, limit: number) {
    this.#files = files;
    this.#limit = limit;
  }

  /** Rejects where a link leads away from the path. */
  async look(file: string): Promise<FileState | null> {
    let real = file;
    for (const { files, folders, move } of this.stages.toReversed()) {
      if (move !== undefined && isAtOrBelow(move.to, real)) real = move.from + real.slice(move.to.length);
      else if (move !== undefined && isAtOrBelow(move.from, real)) return null;
      const step = files.get(real) ?? folders.get(real);
      if (step !== undefined) return step.target;
    }
    if ((await placeOf(this.#files, real)) !== real) throw new Error("A folder on its way is a link now.");
    return (await see(this.#files, real, this.#limit)).state;
  }

  put(change: StoredChange, there: FileState | null): undefined {
    const stage = this.stages.at(-1) as Stage;
    const steps = isFolder(change) ? stage.folders : stage.files;
    const { path: at, before: target, contentId } = change;
    const { expected = there, undoes = [] } = steps.get(at) ?? {};
    steps.set(at, {
      path: at,
      expected,
      target,
      contentId,
      undoes: [...undoes, change.id],
    });
  }

  move(from: string, to: string, undoes: readonly string[]): undefined {
    (this.stages.at(-1) as Stage).move = { from, to, undoes };
    this.stages.push({ files: new Map(), folders: new Map() });
  }
}

const isAtOrBelow = (folder: string, file: string): boolean =>
  file === folder || file.startsWith(`${folder}/`);

interface Known {
  readonly records: Records;
  /** The ids of all changes that are to be reverted. */
  readonly chosen: ReadonlySet<string>;
}

/**
 * How changes, the newest first, are taken back one upon the other, and which of them cannot be. Looks and
 * touches nothing.
 */
export async function planRevert(
  planned: Planned,
  changes: Iterable<StoredChange>,
  known: Known,
): Promise<RevertPlan> {
  const refused = new Map<string, string>();
  for (const change of changes) {
    const reason = await take(planned, change, known).catch((error: Error) => error.message);
    if (reason !== undefined && !refused.has(change.path)) refused.set(change.path, reason);
  }
  return { stages: planned.stages, refused };
}

/** Why not; undefined when it is planned. */
async function take(planned: Planned, change: StoredChange, known: Known): Promise<string | undefined> {
  if (change.state === "pending") return "It is being changed at this moment.";
  if (change.state === "uncertain") return unsure;
  const there = await planned.look(change.path);
  if (change.from !== null) return takeRename(planned, { ...change, from: change.from }, there, known);
  if (change.lost !== null) return change.lost;
  if (isFolder(change)) {
    if (there === null || there.kind === "directory") return planned.put(change, there);
    return findReason(known.records, change, there, known.chosen);
  }
  if (isSame(there, change.before)) return planned.put(change, there);
  if (!isSame(there, change.after)) return findReason(known.records, change, there, known.chosen);
  if (await isStored(known.records, change.contentId)) return planned.put(change, there);
  return "What stood there before is not kept any more.";
}

async function takeRename(
  planned: Planned,
  change: StoredChange & { readonly from: string },
  there: FileState | null,
  { records, chosen }: Known,
): Promise<string | undefined> {
  const { path: at, from, after, id } = change;
  if (there === null || !(isSame(there, after) || isUnread(there, after)))
    return findReason(records, change, there, chosen);
  if ((await planned.look(from)) !== null) return `Something stands at its old place, "${from}".`;
  return planned.move(at, from, [id]);
}

const isStored = async ({ contents }: Records, id: string | null): Promise<boolean> =>
  id === null || (await contents.get(id))?.stored === true;

/**
 * Files that are too large to be read are moved back all the same, as long as their size is the same: nothing
 * is lost by that.
 */
const isUnread = (there: FileState, left: FileState | null): boolean =>
  there.kind === "file" && left?.kind === "file" && left.sha256 === null && there.size === left.size;
