import { countOf, defined } from "@pergola/sdk";
import { exitCodes } from "./exit-codes.ts";
import { approvalsOf } from "./find-approval.ts";
import { followRun } from "./follow-run.ts";
import { localTime } from "./local-time.ts";
import { printJson, printNote, printResult, printWrapped } from "./print-result.ts";
import { jsonOf, withHint, type CommonOptions, type Service } from "./service.ts";
import { styled, visible } from "./visible.ts";

interface Run {
  readonly id: string;
  readonly conversationId: string;
  readonly kind: string;
  readonly status: string;
  readonly completion_reason: string | null;
  readonly model: string;
  readonly iterations: number;
  readonly tool_call_count: number;
  readonly tools_used: readonly string[];
  readonly error: { readonly message: string } | null;
  readonly usage: { readonly total_tokens: number } | null;
  readonly createdAt: string;
  readonly endedAt: string | null;
}

interface Listed {
  readonly runs: readonly Run[];
  readonly count: number;
}

interface ListOptions extends CommonOptions {
  readonly conversation?: string;
  readonly status?: string;
  readonly limit?: number;
}

export const addressOf = (id: string): string => `/api/runs/${encodeURIComponent(id)}`;

/** How to find a run. */
export const listHint = "`pergola runs list` lists the runs.";

/** Lists the newest runs, with their conversations' titles and how many changes of files each made. */
export async function listRuns(
  service: Service,
  { conversation: conversationId, status, limit = 20, json }: ListOptions,
): Promise<void> {
  const query = new URLSearchParams(defined({ conversationId, status, limit: String(limit) }));
  const { runs, count } = await service.get<Listed>(`/api/runs?${query.toString()}`);
  if (json) return printJson({ runs, count });
  const titles = new Map<string, string>();
  for (const run of runs) {
    const title = titles.get(run.conversationId) ?? (await titleOf(service, run.conversationId));
    titles.set(run.conversationId, title);
    printWrapped([lineOf(run, title, await changesOf(service, run))]);
  }
  if (count === 0) printNote("There is no run.");
  const rest = count - runs.length;
  if (rest > 0) printNote(`${rest} more; --limit ${count} shows them.`);
}

/** The title of a conversation; empty where it is gone. */
export async function titleOf(service: Service, conversationId: string): Promise<string> {
  const answer = await service.call("GET", `/v1/conversations/${conversationId}?messages=false`);
  if (!answer.ok) return "";
  return (await jsonOf<{ readonly title: string }>(answer)).title;
}

/** How many changes of files the run made; 0 where nothing records them. */
async function changesOf(service: Service, { id, tool_call_count: calls }: Run): Promise<number> {
  if (calls === 0) return 0;
  const answer = await service.call("GET", `${addressOf(id)}/changes?limit=1`);
  if (!answer.ok) return 0;
  return (await jsonOf<{ readonly count: number }>(answer)).count;
}

function lineOf(run: Run, title: string, changes: number): string {
  const facts = [localTime(run.createdAt), run.completion_reason ?? run.status, run.model];
  if (changes > 0) facts.push(countOf(changes, "change of files", "changes of files"));
  return `${run.id} ${visible(title)} ${styled("dim", visible(facts.join(", ")))}`;
}

/** Shows a run: how it stands, what it waits for, and what can be done with it. */
export async function showRun(service: Service, id: string, options: CommonOptions): Promise<void> {
  const run = await withHint(service.get<Run>(addressOf(id)), listHint);
  const changes = await changesOf(service, run);
  const facts: readonly (readonly [string, string | number | undefined])[] = [
    ["run", run.id],
    ["conversation", `${run.conversationId} ${await titleOf(service, run.conversationId)}`],
    ["state", run.completion_reason ?? run.status],
    ["error", run.error?.message],
    ["kind", run.kind],
    ["model", run.model],
    ["begun", localTime(run.createdAt)],
    ["ended", run.endedAt === null ? undefined : localTime(run.endedAt)],
    ["iterations", run.iterations],
    ["tool calls", [run.tool_call_count, ...run.tools_used].join(" ")],
    ["tokens", run.usage?.total_tokens],
    ["changes", changes],
  ];
  const known = facts.filter(([, value]) => value !== undefined);
  printResult(
    options,
    run,
    known.map(([name, value]) => visible(`${name.padEnd(13)}${value}`)),
  );
  if (options.json) return;
  for (const hint of await hintsFor(service, run, changes)) printNote(hint);
}

async function hintsFor(service: Service, { id, status }: Run, changes: number): Promise<readonly string[]> {
  if (status === "interrupted") return [`To go on with it: pergola runs resume ${id}`];
  if (status === "ended") return changes > 0 ? [`To undo its changes: pergola undo ${id}`] : [];
  const { approvals } = await approvalsOf(service, { status: "pending", runId: id });
  const waits = approvals.map((one) => `It waits for you: pergola approvals allow ${one.id} (or deny)`);
  return [...waits, `To cancel it: pergola runs cancel ${id}`];
}

/** Goes on with an interrupted run and shows it to its end. */
export async function resumeRun(service: Service, id: string, options: CommonOptions): Promise<number> {
  const run = await withHint(service.send<Run>("POST", `${addressOf(id)}/resume`), listHint);
  return followRun(service, run.id, options);
}

export async function cancelRun(service: Service, id: string, { json }: CommonOptions): Promise<number> {
  const cancelled = await withHint(service.send<object>("POST", `${addressOf(id)}/cancel`), listHint);
  if (json) printJson(cancelled);
  else printNote(`Cancelled: ${id}`);
  return exitCodes.ok;
}
