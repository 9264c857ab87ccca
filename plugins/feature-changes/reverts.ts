import path from "node:path";
import { AppError, isBelow, KeyedQueue, type Caller } from "@pergola/sdk";
import {
  placeOf,
  type Parts,
  type RestoringFiles,
  type RevertOutcome,
  type RevertRequest,
} from "@pergola/sdk/host";
import { CarryOut, preview } from "./carry-out.ts";
import type { Journal } from "./journal.ts";
import { revertOwner, scopeOf } from "./owners.ts";
import { Planned, planRevert, type RevertPlan } from "./plan-revert.ts";
import { eachOf, type StoredChange } from "./records.ts";

const mostChanges = 100_000;
/** Seconds to wait for a run that is about to end. */
const patience = 3;
const nothingDone = { revertId: null, reverted: [], kept: [] } as const;

const refuse = (param: string, message: string): AppError =>
  new AppError({ code: "invalid_value", message, param });

/** The changes that a request selects. Throws `invalid_value` for a path or an id that no change has. */
function selected(
  id: string,
  all: readonly StoredChange[],
  { paths, changeIds }: Pick<RevertRequest, "paths" | "changeIds">,
): readonly StoredChange[] {
  const unknown = changeIds?.find((id) => !all.some((change) => change.id === id));
  if (unknown !== undefined) throw refuse("changeIds", `"${id}" has no change "${unknown}".`);
  const untouched = paths?.find((file) => !all.some((change) => isAt(change, file)));
  if (untouched !== undefined) throw refuse("paths", `"${id}" has changed nothing at "${untouched}".`);
  return all.filter(
    (change) => (changeIds?.includes(change.id) ?? true) && (paths?.some((one) => isAt(change, one)) ?? true),
  );
}

const inUse = (runId: string): AppError =>
  new AppError({
    code: "in_use",
    message: `The run ${runId} works in the conversation; wait for its end, or cancel it.`,
  });

/** Takes changes back, one request at a time. */
export class Reverts {
  readonly #parts: Parts;
  readonly #journal: Journal;
  readonly #open: () => RestoringFiles;
  readonly #turns = new KeyedQueue();

  constructor(parts: Parts, journal: Journal, open: () => RestoringFiles) {
    this.#parts = parts;
    this.#journal = journal;
    this.#open = open;
  }

  revert(id: string, revertId: string, request: RevertRequest, caller: Caller): Promise<RevertOutcome> {
    return this.#turns.run("revert", async () => {
      const { dryRun = false } = request;
      const chosen = await this.#chosen(id, request);
      if (chosen.length === 0) return { ...nothingDone, success: true, refused: [] };
      const conversationIds = [...new Set(chosen.map((change) => change.conversationId))];
      for (const conversationId of conversationIds) await this.#check(conversationId);
      if (dryRun) return this.#carryOut(chosen, revertId, request, caller);
      const held = await this.#hold(conversationIds);
      try {
        return await this.#carryOut(await this.#chosen(id, request), revertId, request, caller);
      } finally {
        for (const { release } of held) release();
      }
    });
  }

  async #carryOut(
    chosen: readonly StoredChange[],
    revertId: string,
    { partial = false, dryRun = false }: RevertRequest,
    caller: Caller,
  ): Promise<RevertOutcome> {
    const files = this.#open();
    const ids = new Set(chosen.map((change) => change.id));
    const { records, limit } = this.#journal;
    const plan = await planRevert(new Planned(files, limit), await this.#settled(chosen, files), {
      records,
      chosen: ids,
    });
    const refusals = new Map([...plan.refused, ...(await this.#forbidden(plan, caller))]);
    const refused = [...refusals].map(([at, reason]) => ({ path: at, reason }));
    if (refused.length > 0 && (!partial || plan.refused.size < refusals.size))
      return { ...nothingDone, success: false, refused };
    if (dryRun)
      return {
        ...nothingDone,
        success: refused.length === 0,
        reverted: preview(plan),
        refused,
      };
    const owner = revertOwner(revertId, chosen[0]!);
    const work = {
      parts: this.#parts,
      journal: this.#journal,
      owner,
      files,
      partial,
    };
    const done = await new CarryOut(work).run(plan);
    const all = [...refused, ...done.refused];
    return {
      success: all.length === 0,
      revertId: done.reverted.length > 0 ? revertId : null,
      ...done,
      refused: all,
    };
  }

  /** What is to be taken back, the newest first. */
  async #chosen(
    id: string,
    { includeAgents = true, paths, changeIds }: RevertRequest,
  ): Promise<readonly StoredChange[]> {
    const { records } = this.#journal;
    const filter = await scopeOf(this.#parts, records, { id, includeAgents });
    const all: StoredChange[] = [];
    for await (const change of eachOf<StoredChange>(records.changes, filter, "-seq"))
      if (all.push(change) === mostChanges) break;
    const changes = selected(id, all, { paths, changeIds });
    const open = changes.filter(({ revertedBy }) => revertedBy === null);
    if (open.length === 0 && changes.length > 0) {
      const message = `These changes were reverted already, by ${changes[0]?.revertedBy ?? ""}.`;
      throw new AppError({ code: "already_reverted", message });
    }
    return open;
  }

  async #settled(chosen: readonly StoredChange[], files: RestoringFiles): Promise<readonly StoredChange[]> {
    const settled = await Promise.all(chosen.map((change) => this.#journal.settle(change, files)));
    return settled.filter((change) => change !== undefined);
  }

  /** Rejects while a run works in a conversation, and where its files are at another host. */
  async #check(conversationId: string): Promise<void> {
    const { runs, stores } = this.#parts;
    placeOf(this.#parts, await stores.conversations.get(conversationId));
    const run = runs.activeIn(conversationId) ?? (await this.#runElsewhere(conversationId));
    if (run !== undefined) throw inUse(run.id);
  }

  async #runElsewhere(conversationId: string): Promise<{ readonly id: string } | undefined> {
    const { runs, stores } = this.#parts;
    if ((await runs.workedInElsewhere([conversationId])).size === 0) return undefined;
    const [run] = await stores.runs.find({ conversationId, status: "running" }, { limit: 1 });
    return run ?? (await stores.runs.find({ conversationId, status: "waiting" }, { limit: 1 }))[0];
  }

  /** Keeps runs out of these conversations until all are released. */
  async #hold(conversationIds: readonly string[]) {
    const held: Awaited<ReturnType<Parts["runs"]["hold"]>>[] = [];
    try {
      for (const id of conversationIds) held.push(await this.#parts.runs.hold(id, patience));
      return held;
    } catch (error) {
      for (const { release } of held) release();
      throw error;
    }
  }

  /** A caller from elsewhere may touch only what its conversations may work in. */
  async #forbidden({ stages }: RevertPlan, caller: Caller): Promise<readonly (readonly [string, string])[]> {
    if (!caller.remote) return [];
    const touched = stages.flatMap(({ files, folders, move }) => [
      ...files.keys(),
      ...folders.keys(),
      ...(move === undefined ? [] : [move.from, move.to]),
    ]);
    const forbidden = new Set<string>();
    for (const folder of new Set(touched.map((one) => path.dirname(one))))
      await this.#parts.conversations
        .checkWorkingDirectory(folder, caller)
        .catch(() => forbidden.add(folder));
    const reason =
      "A caller from elsewhere may revert only below workspace.base_path and workspace.allowed_roots.";
    return touched.filter((one) => forbidden.has(path.dirname(one))).map((one) => [one, reason] as const);
  }
}

const isAt = ({ path: at, from }: StoredChange, file: string): boolean =>
  path.isAbsolute(file) && (isBelow(file, at) || (from !== null && isBelow(file, from)));
