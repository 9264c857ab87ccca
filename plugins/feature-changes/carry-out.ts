import { compareText } from "@pergola/sdk";
import type { Parts, RestoringFiles, RevertOutcome } from "@pergola/sdk/host";
import { isSame, see } from "./file-states.ts";
import type { Journal } from "./journal.ts";
import type { RevertPlan, Stage, Step } from "./plan-revert.ts";
import { RecordedFiles } from "./recorded-files.ts";
import type { Owner } from "./records.ts";

/** Files that are put back in one piece; their folders are held open meanwhile. */
const together = 64;

interface Told {
  readonly reverted: { path: string; action: "restored" | "removed" | "renamed"; to?: string }[];
  readonly refused: { path: string; reason: string }[];
  readonly kept: string[];
}

const tell = (told: Told, { path, target }: Step): void =>
  void told.reverted.push({ path, action: target === null ? "removed" : "restored" });

/** What a plan would do. */
export function foresee({ stages }: RevertPlan): Told["reverted"] {
  const told: Told = { reverted: [], refused: [], kept: [] };
  for (const { files, folders, move } of stages) {
    for (const step of [...files.values(), ...folders.values()]) tell(told, step);
    if (move !== undefined) told.reverted.push({ path: move.from, action: "renamed", to: move.to });
  }
  return told.reverted;
}

interface Work {
  readonly parts: Parts;
  readonly journal: Journal;
  readonly owner: Owner;
  readonly files: RestoringFiles;
  /** Goes on after a refusal. */
  readonly partial: boolean;
}

/**
 * Does what a plan says. What has changed in between is refused; without `partial` nothing is done after the
 * first refusal.
 */
export class CarryOut {
  readonly told: Told = { reverted: [], refused: [], kept: [] };
  readonly #parts: Parts;
  readonly #journal: Journal;
  readonly #owner: Owner;
  readonly #files: RestoringFiles;
  readonly #partial: boolean;

  constructor({ parts, journal, owner, files, partial }: Work) {
    this.#parts = parts;
    this.#journal = journal;
    this.#owner = owner;
    this.#files = files;
    this.#partial = partial;
  }

  async run({ stages }: RevertPlan): Promise<Pick<RevertOutcome, "reverted" | "refused" | "kept">> {
    for (const stage of stages) {
      await this.#stage(stage);
      if (this.told.refused.length > 0 && !this.#partial) break;
    }
    return this.told;
  }

  async #stage({ files, folders, move }: Stage): Promise<void> {
    const steps = [...files.values()];
    const size = this.#partial ? 1 : together;
    for (let from = 0; from < steps.length; from += size) {
      if (!(await this.#restore(steps.slice(from, from + size))) && !this.#partial) return;
    }
    for (const step of orderOf(folders)) await this.#try([step.path], () => this.#folder(step));
    if (move === undefined) return;
    const recorded = this.#recorded([{ path: move.to, undoes: move.undoes }]);
    const moved = await this.#try([move.from], () => recorded.rename(move.from, move.to));
    if (moved) this.told.reverted.push({ path: move.from, action: "renamed", to: move.to });
  }

  #recorded(steps: readonly Pick<Step, "path" | "undoes">[]): RecordedFiles {
    return new RecordedFiles(
      this.#files,
      this.#journal,
      this.#owner,
      new Map(steps.map(({ path, undoes }) => [path, undoes])),
    );
  }

  async #restore(steps: readonly Step[]): Promise<boolean> {
    const paths = steps.map(({ path }) => path);
    return this.#try(paths, async () => {
      const changes = await Promise.all(steps.map(async (step) => this.#changeOf(step)));
      const real = changes.filter((change) => change !== undefined);
      if (real.length > 0) await this.#recorded(steps).restore(real);
      const idle = steps.filter((_, index) => changes[index] === undefined);
      await this.#mark(idle.flatMap(({ undoes }) => undoes));
      for (const step of steps) tell(this.told, step);
    });
  }

  /**
   * undefined where all is as it is to be already. The look comes last: what is written after it would be
   * lost.
   */
  async #changeOf({ path, expected, target, contentId }: Step) {
    const content = contentId === null ? undefined : await this.#journal.contents.get(contentId);
    const { state } = await see(this.#files, path, this.#journal.limit);
    if (isSame(state, target)) return undefined;
    if (!isSame(state, expected)) throw new Error("It has changed since.");
    if (target === null) return { path };
    if (content === undefined) throw new Error("What stood there before is not kept any more.");
    return { path, content, ...(target.mode !== null && { mode: target.mode }) };
  }

  /** A folder that holds something else stays, which is no failure. */
  async #folder(step: Step): Promise<void> {
    const { state } = await see(this.#files, step.path, 0);
    const recorded = this.#recorded([step]);
    const isThere = state?.kind === "directory";
    if (isThere === (step.target !== null)) await this.#mark(step.undoes);
    else if (step.target !== null) await recorded.makeDirectory(step.path);
    else if (!(await recorded.removeDirectory(step.path))) {
      this.told.kept.push(step.path);
      return this.#mark(step.undoes);
    }
    tell(this.told, step);
  }

  async #mark(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.#parts.stores.commit(await this.#journal.marks(ids, this.#owner.ownerId));
  }

  async #try(paths: readonly string[], work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      const reason = this.#parts.redact((error as Error).message);
      this.told.refused.push(...paths.map((path) => ({ path, reason })));
      return false;
    }
  }
}

/** Folders are made from above, and removed from below. */
const orderOf = (folders: Stage["folders"]): readonly Step[] => {
  const all = [...folders.values()].toSorted((a, b) => compareText(a.path, b.path));
  return [
    ...all.filter(({ target }) => target !== null),
    ...all.filter(({ target }) => target === null).toReversed(),
  ];
};
