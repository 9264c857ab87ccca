import path from "node:path";
import { countOf } from "@pergola/sdk";
import type { ChangePage, FileChangeRecord, RevertOutcome } from "@pergola/sdk/host";
import { isConfirmed } from "./ask-person.ts";
import { exitCodeOf, exitCodes } from "./exit-codes.ts";
import { printDim, printJson, printLines, printNote } from "./print-result.ts";
import { jsonOf, type CommonOptions, type Service } from "./service.ts";
import { visible } from "./visible.ts";

interface UndoOptions extends CommonOptions {
  readonly list?: boolean;
  readonly only?: readonly string[];
  readonly partial?: boolean;
  readonly yes?: boolean;
}

type ListedChange = FileChangeRecord & { readonly reason: string | null; readonly revertible: boolean };

interface Listed extends Pick<ChangePage, "gaps"> {
  readonly changes: readonly ListedChange[];
  readonly count: number;
}

const nothingToUndo =
  "There is nothing to undo: none of the last runs changed files. To undo an older one, give its id: " +
  "pergola undo <run>. `pergola runs list` lists them.";
const nothingUndone = "Nothing was undone.";

const addressOf = (id: string): string => `/api/runs/${encodeURIComponent(id)}`;
const listOf = (service: Service, id: string, limit: number): Promise<Listed> =>
  service.get(`${addressOf(id)}/changes?limit=${limit}`);

/**
 * Takes back a run's changes to files, after showing them and asking. Without a run, it takes the last run
 * that changed files.
 */
export async function undo(service: Service, run: string | undefined, options: UndoOptions): Promise<number> {
  const id = run ?? (await lastRun(service, new Set()));
  if (id === undefined) {
    printNote(nothingToUndo);
    return exitCodes.failed;
  }
  if (!options.list) return takeBack(service, id, options);
  await showChanges(service, id, options);
  return exitCodes.ok;
}

/** Prints a hint at the end of a run: how many changes it made to files, and the command that undoes them. */
export async function printUndoHint(
  service: Service,
  runId: string | undefined,
  command = `pergola undo ${runId}`,
): Promise<void> {
  if (runId === undefined) return;
  const answer = await service.call("GET", `${addressOf(runId)}/changes?limit=1`);
  if (!answer.ok) return;
  const { count } = await jsonOf<Listed>(answer);
  if (count > 0) printDim(`${changesOf(count)}; to undo: ${command}`);
}

interface Ids {
  readonly id: string;
  readonly tool_call_count: number;
}

/** The newest run with changes that can be undone and are not undone yet, but none in the set. */
async function lastRun(service: Service, passedOver: ReadonlySet<string>): Promise<string | undefined> {
  const { runs } = await service.get<{ readonly runs: readonly Ids[] }>("/api/runs?limit=200");
  for (const { id, tool_call_count: calls } of runs) {
    if (calls === 0 || passedOver.has(id)) continue;
    const { changes } = await listOf(service, id, 1000);
    if (changes.some(({ revertible }) => revertible)) return id;
  }
  return undefined;
}

/** What to do when nothing could be undone. */
async function adviceAfter(service: Service, id: string): Promise<string> {
  const earlier = await lastRun(service, new Set([id]));
  if (earlier === undefined) return "`pergola undo --list` shows the changes.";
  return `To undo another run's changes: pergola undo ${earlier}. \`pergola runs list\` lists the runs.`;
}

const changesOf = (count: number): string => countOf(count, "change of files", "changes of files");

function changeLine({ kind, path: file, from, tool, operation, reason }: ListedChange): string {
  const files = [from, file].filter(Boolean).join(" → ");
  const call = [tool, operation].filter(Boolean).join(".");
  return [`  ${kind.padEnd(8)} ${files} (${call})`, reason].filter(Boolean).join(" — ");
}

async function showChanges(service: Service, id: string, { json }: UndoOptions): Promise<void> {
  const list = await listOf(service, id, 1000);
  if (json) return printJson({ id, ...list });
  const { changes, count, gaps } = list;
  const lines = [`${id}: ${changesOf(count)}`, ...changes.toReversed().map(changeLine)];
  const earlier = count - changes.length;
  if (earlier > 0) lines.push(`  and ${earlier} before these`);
  for (const { reason } of gaps) lines.push(`  The list may be incomplete: ${reason}`);
  printLines(lines.map(visible));
}

async function takeBack(service: Service, id: string, options: UndoOptions): Promise<number> {
  const { partial = false, json } = options;
  const paths = options.only?.map((one) => path.resolve(one));
  const revert = (dryRun: boolean): Promise<RevertOutcome> =>
    service.send("POST", `${addressOf(id)}/revert`, { partial, paths, dryRun });
  const plan = await revert(true);
  if (!json) show(`Undoing ${id}:`, plan);
  const isEmpty = plan.reverted.length === 0;
  if (!isEmpty && !options.yes && !(await isConfirmed("Undo this?", "--yes"))) {
    printNote(nothingUndone);
    return exitCodes.failed;
  }
  const outcome = isEmpty ? plan : await revert(false);
  if (json) printJson({ id, ...outcome });
  else report(outcome, partial);
  if (!json && !outcome.success && outcome.revertId === null) printNote(await adviceAfter(service, id));
  return exitCodeOf(outcome.success);
}

function show(title: string, { reverted, refused }: RevertOutcome): void {
  const lines = [title];
  for (const { path: file, action, to } of reverted)
    lines.push(`  ${action.padEnd(8)} ${[file, to].filter(Boolean).join(" → ")}`);
  for (const { path: file, reason } of refused) lines.push(`  refused  ${file}: ${reason}`);
  printLines(lines.map(visible));
}

function report(outcome: RevertOutcome, partial: boolean): void {
  const { kept, refused, revertId, success } = outcome;
  printLines(kept.map((folder) => visible(`  kept     ${folder}: something else is in it.`)));
  if (revertId !== null) {
    if (!success) show("Not all could be undone:", { ...outcome, reverted: [] });
    return printDim(`Undone. To redo the changes: pergola undo ${revertId}`);
  }
  if (refused.length === 0) printLines(["  nothing: it has changed no files."]);
  if (success) return;
  if (partial) printNote(nothingUndone);
  else printNote(`${nothingUndone} To undo the other changes all the same, add --partial.`);
}
