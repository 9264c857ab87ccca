import path from "node:path";
import { AppError, countOf, defined } from "@pergola/sdk";
import type { RevertOutcome } from "@pergola/sdk/host";
import { exitCodeOf, exitCodes } from "./exit-codes.ts";
import { jsonOf, withService, type CommonOptions, type Service } from "./service.ts";
import { styled, visible } from "./visible.ts";

export interface UndoOptions extends CommonOptions {
  readonly list?: boolean;
  readonly only?: readonly string[];
  readonly partial?: boolean;
  readonly yes?: boolean;
}

interface Listed {
  readonly changes: readonly {
    readonly kind: string;
    readonly path: string;
    readonly from: string | null;
    readonly tool: string;
    readonly operation: string;
    readonly reason: string | null;
    readonly revertedBy: string | null;
    readonly at: string;
  }[];
  readonly count: number;
  readonly complete: boolean;
  readonly gaps: readonly { readonly reason: string }[];
}

interface Runs {
  readonly runs: readonly { readonly id: string }[];
}

const nothingToUndo =
  "There is nothing to undo: no run of the last conversation changed files. To undo another run, give its " +
  "id: pergola undo <run>\n";
const write = (lines: readonly string[]): unknown =>
  process.stdout.write(lines.map((line) => `${visible(line)}\n`).join(""));
const listOf = async (service: Service, id: string, limit: number): Promise<Listed> =>
  jsonOf<Listed>(await service.call("GET", `/api/runs/${encodeURIComponent(id)}/changes?limit=${limit}`));

/**
 * Takes back a run's changes to files, after showing them and asking. Without a run, it takes the last run of
 * the last conversation that changed files.
 */
export async function undo(given: string | undefined, options: UndoOptions): Promise<number> {
  return withService(options, async (service) => {
    const id = given ?? (await lastRun(service));
    if (id === undefined) return (process.stderr.write(nothingToUndo), exitCodes.failed);
    return options.list === true ? showChanges(service, id, options) : takeBack(service, id, options);
  });
}

/** A hint for the end of a run: how many changes it made to files, and how to undo them. */
export async function undoHint(service: Service, runId: string | undefined): Promise<string | undefined> {
  if (runId === undefined) return undefined;
  const answer = await service.call("GET", `/api/runs/${runId}/changes?limit=1`);
  if (!answer.ok) return undefined;
  const { count } = await jsonOf<Listed>(answer);
  if (count === 0) return undefined;
  return `${changesOf(count)}; to undo: pergola undo ${runId}`;
}

async function lastRun(service: Service): Promise<string | undefined> {
  const { conversations } = await jsonOf<{ conversations: { id: string }[] }>(
    await service.call("GET", "/v1/conversations?limit=1"),
  );
  const [last] = conversations;
  if (last === undefined) return undefined;
  const address = `/api/runs?conversationId=${last.id}&limit=50`;
  const { runs } = await jsonOf<Runs>(await service.call("GET", address));
  for (const { id } of runs)
    if ((await listOf(service, id, 1000)).changes.some(({ revertedBy }) => revertedBy === null)) return id;
  return undefined;
}

const changesOf = (count: number): string => countOf(count, "change of files", "changes of files");

function changeLine({ kind, path: at, from, tool, operation, reason }: Listed["changes"][number]): string {
  const origin = from === null ? "" : `${from} → `;
  const by = tool === "" ? operation : `${tool}.${operation}`;
  const why = reason === null ? "" : ` — ${reason}`;
  return `  ${kind.padEnd(8)} ${origin}${at} (${by})${why}`;
}

async function showChanges(service: Service, id: string, { json = false }: UndoOptions): Promise<number> {
  const list = await listOf(service, id, 1000);
  if (json) return (process.stdout.write(`${JSON.stringify({ id, ...list })}\n`), exitCodes.ok);
  const earlier = list.count - list.changes.length;
  write([`${id}: ${changesOf(list.count)}`, ...list.changes.toReversed().map(changeLine)]);
  if (earlier > 0) write([`  and ${earlier} before these`]);
  for (const { reason } of list.gaps) write([`  The list may be incomplete: ${reason}`]);
  return exitCodes.ok;
}

async function takeBack(service: Service, id: string, options: UndoOptions): Promise<number> {
  const { only, partial = false, yes = false, json = false } = options;
  const body = defined({ partial, paths: only?.map((one) => path.resolve(one)) });
  const revert = async (dryRun: boolean): Promise<RevertOutcome> =>
    jsonOf<RevertOutcome>(
      await service.call("POST", `/api/runs/${encodeURIComponent(id)}/revert`, { ...body, dryRun }),
    );
  const plan = await revert(true);
  if (!json) show(`Undoing ${id}:`, plan);
  if (plan.reverted.length > 0 && !yes && !(await isConfirmed()))
    return (process.stderr.write("Nothing was undone.\n"), exitCodes.failed);
  const done = plan.reverted.length > 0 ? await revert(false) : plan;
  if (json) process.stdout.write(`${JSON.stringify({ id, ...done })}\n`);
  else report(done, partial);
  return exitCodeOf(done.success);
}

function show(title: string, { reverted, refused }: RevertOutcome): void {
  write([title]);
  for (const { path: at, action, to } of reverted)
    write([`  ${action.padEnd(8)} ${at}${to === undefined ? "" : ` → ${to}`}`]);
  for (const { path: at, reason } of refused) write([`  refused  ${at}: ${reason}`]);
}

function report(done: RevertOutcome, partial: boolean): void {
  for (const folder of done.kept) write([`  kept     ${folder}: something else is in it.`]);
  if (done.revertId === null && done.refused.length === 0) write(["  nothing: it has changed no files."]);
  if (done.revertId !== null && !done.success) show("Not all could be undone:", { ...done, reverted: [] });
  if (done.revertId !== null)
    process.stderr.write(styled("dim", `Undone. To redo the changes: pergola undo ${done.revertId}\n`));
  else if (!done.success) process.stderr.write(partial ? "Nothing was undone.\n" : nothingUndone);
}

const nothingUndone = "Nothing was undone. To undo the other changes all the same, add --partial.\n";

/** Asks at the terminal. Throws AppError if nobody is there. */
async function isConfirmed(): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new AppError({
      code: "invalid_value",
      message: "Nobody is at the terminal to decide this. Add --yes to undo it.",
    });
  const { confirm } = await import("@clack/prompts");
  return (await confirm({ message: "Undo this?", initialValue: false })) === true;
}
