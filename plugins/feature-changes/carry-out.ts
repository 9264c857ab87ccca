import { compareText } from "@pergola/sdk";
import type { Parts, RestoringFiles, RevertOutcome } from "@pergola/sdk/host";
import { isSame, see } from "./file-states.ts";
import type { Journal } from "./journal.ts";
import type { Move, RevertPlan, Stage, Step } from "./plan-revert.ts";
import { RecordedFiles } from "./recorded-files.ts";
import type { Owner } from "./records.ts";

/** Files that are put back in one piece; their folders are held open meanwhile. */
const together = 64;

type Reverted = RevertOutcome["reverted"][number];

const stepDone = ({ path, target }: Step): Reverted => {
  if (target === null) return { path, action: "removed" };
  return { path, action: "restored" };
};

const moveDone = ({ from, to }: Move): Reverted => ({ path: from, action: "renamed", to });

/** What a plan would do. */
export const preview = ({ stages }: RevertPlan): readonly Reverted[] =>
  stages.flatMap(({ files, folders, move }) => [
    ...[...files.values(), ...folders.values()].map(stepDone),
    ...[move].flatMap((one) => one ?? []).map(moveDone),
  ]);

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
  readonly #work: Work;
  readonly #reverted: Reverted[] = [];
  readonly #refused: { path: string; reason: string }[] = [];
  readonly #kept: string[] = [];

  constructor(work: Work) {
    this.#work = work;
  }

  async run({ stages }: RevertPlan): Promise<Pick<RevertOutcome, "reverted" | "refused" | "kept">> {
    for (const stage of stages) {
      await this.#stage(stage);
      if (this.#refused.length > 0 && !this.#work.partial) break;
    }
    return { reverted: this.#reverted, refused: this.#refused, kept: this.#kept };
  }

  async #stage({ files, folders, move }: Stage): Promise<void> {
    const steps = [...files.values()];
    const { partial } = this.#work;
    const size = partial ? 1 : together;
    for (let from = 0; from < steps.length; from += size) {
      if (!(await this.#restore(steps.slice(from, from + size))) && !partial) return;
    }
    for (const step of orderOf(folders)) await this.#try([step.path], () => this.#folder(step));
    if (move === undefined) return;
    const recorded = this.#recorded([{ path: move.to, undoes: move.undoes }]);
    const moved = await this.#try([move.from], () => recorded.rename(move.from, move.to));
    if (moved) this.#reverted.push(moveDone(move));
  }

  #recorded(steps: readonly Pick<Step, "path" | "undoes">[]): RecordedFiles {
    const { files, journal, owner } = this.#work;
    return new RecordedFiles(files, journal, owner, new Map(steps.map(({ path, undoes }) => [path, undoes])));
  }

  async #restore(steps: readonly Step[]): Promise<boolean> {
    const paths = steps.map(({ path }) => path);
    return this.#try(paths, async () => {
      const changes = await Promise.all(steps.map(async (step) => this.#changeOf(step)));
      const real = changes.filter((change) => change !== undefined);
      if (real.length > 0) await this.#recorded(steps).restore(real);
      const idle = steps.filter((_, index) => changes[index] === undefined);
      await this.#mark(idle.flatMap(({ undoes }) => undoes));
      for (const step of steps) this.#reverted.push(stepDone(step));
    });
  }

  /**
   * undefined where all is as it is to be already. The look comes last: what is written after it would be
   * lost.
   */
  async #changeOf({ path, expected, target, contentId }: Step) {
    const { journal, files } = this.#work;
    const content = contentId === null ? undefined : await journal.contents.get(contentId);
    const { state } = await see(files, path, journal.limit);
    if (isSame(state, target)) return undefined;
    if (!isSame(state, expected)) throw new Error("It has changed since.");
    if (target === null) return { path };
    if (content === undefined) throw new Error("What stood there before is not kept any more.");
    return { path, content, ...(target.mode !== null && { mode: target.mode }) };
  }

  /** A folder that holds something else stays, which is no failure. */
  async #folder(step: Step): Promise<void> {
    const { state } = await see(this.#work.files, step.path, 0);
    const recorded = this.#recorded([step]);
    const isThere = state?.kind === "directory";
    if (isThere === (step.target !== null)) await this.#mark(step.undoes);
    else if (step.target !== null) await recorded.makeDirectory(step.path);
    else if (!(await recorded.removeDirectory(step.path))) {
      this.#kept.push(step.path);
      return this.#mark(step.undoes);
    }
    this.#reverted.push(stepDone(step));
  }

  async #mark(ids: readonly string[]): Promise<void> {
    const { parts, journal, owner } = this.#work;
    if (ids.length > 0) await parts.stores.commit(await journal.marks(ids, owner.ownerId));
  }

  async #try(paths: readonly string[], work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      const reason = this.#work.parts.redact((error as Error).message);
      for (const path of paths) this.#refused.push({ path, reason });
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
