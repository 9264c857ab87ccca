import { setTimeout as sleep } from "node:timers/promises";
import { fault } from "../fault.ts";
import { describe, type Decision } from "./ask-person.ts";
import { exitCodeOf, exitCodes } from "./exit-codes.ts";
import { approvalsOf, findApproval, type Approval } from "./find-approval.ts";
import { followRun } from "./follow-run.ts";
import { localTime } from "./local-time.ts";
import { printJson, printLines, printNote, printResult } from "./print-result.ts";
import type { CommonOptions, Service } from "./service.ts";
import { styled, visible } from "./visible.ts";

interface ListOptions extends CommonOptions {
  readonly all?: boolean;
  readonly run?: string;
}

interface AllowOptions extends CommonOptions {
  readonly always?: boolean;
}

const indent = (text: string): string => text.replaceAll(/^/gm, "    ");

function stateOf({ status, decision }: Approval): string {
  if (status === "answered") return decision ?? status;
  return status;
}

function linesOf(approval: Approval): readonly string[] {
  const { id, runId, kind, reason, createdAt } = approval;
  const facts = [kind, stateOf(approval), localTime(createdAt), runId ?? "a call by hand"];
  const lines = [`${styled("bold", id)} ${styled("dim", facts.join(", "))}`, indent(describe(approval))];
  if (reason !== "") lines.push(indent(`why it asks: ${visible(reason)}`));
  if (approval.options.length > 0) lines.push(indent(`options: ${visible(approval.options.join(", "))}`));
  return lines;
}

const ways = {
  approval: "pergola approvals allow <id>, or pergola approvals deny <id> [reason]",
  question: "pergola approvals answer <id> <text>",
} as const;

/** How what is listed is answered. */
function adviceFor(listed: readonly Approval[]): string {
  const kinds = new Set(listed.map(({ kind }) => kind));
  const those = [...kinds].map((kind) => ways[kind]).join("; ");
  return `To answer: ${those}. The first characters of an id are enough.`;
}

/** Lists the questions that wait for an answer, or all there were, each in full. */
export async function listApprovals(
  service: Service,
  { all = false, run, json }: ListOptions,
): Promise<void> {
  const query = { status: all ? "all" : "pending", ...(run !== undefined && { runId: run }) };
  const { approvals, count } = await approvalsOf(service, query);
  if (json) return printJson({ approvals, count });
  printLines(approvals.flatMap(linesOf));
  if (count === 0) printNote(all ? "There were no questions yet." : "Nothing waits for an answer.");
  const waiting = approvals.filter(({ status }) => status === "pending");
  if (waiting.length > 0) printNote(adviceFor(waiting));
}

export async function showApproval(service: Service, id: string, options: CommonOptions): Promise<void> {
  const approval = await findApproval(service, id);
  const { answer, result } = approval;
  const lines = [...linesOf(approval)];
  if (answer) lines.push(indent(`answer: ${visible(answer)}`));
  if (result) lines.push(indent(`result: ${visible(result.content ?? result.data ?? result.error ?? "")}`));
  printResult(options, approval, lines);
}

/** Allows a call, once or for the rest of its conversation. */
export async function allow(service: Service, id: string, options: AllowOptions): Promise<number> {
  const approval = await findApproval(service, id);
  if (approval.kind === "question")
    throw fault(
      "invalid_value",
      `${approval.id} is a question: pergola approvals answer ${approval.id} <text>`,
    );
  const decision: Decision = options.always ? { approved: true, grant: "conversation" } : { approved: true };
  return answerApproval(service, approval, decision, options);
}

export async function deny(
  service: Service,
  id: string,
  reason: readonly string[],
  options: CommonOptions,
): Promise<number> {
  const approval = await findApproval(service, id);
  return answerApproval(service, approval, { approved: false, userResponse: reason.join(" ") }, options);
}

/** Answers a question of a tool with a text. */
export async function answer(
  service: Service,
  id: string,
  words: readonly string[],
  options: CommonOptions,
): Promise<number> {
  const approval = await findApproval(service, id);
  if (approval.kind === "approval")
    throw fault(
      "invalid_value",
      `${approval.id} asks for a permission: pergola approvals allow ${approval.id}`,
    );
  return answerApproval(service, approval, { userResponse: words.join(" ") }, options);
}

/**
 * Sends an answer. A call by hand is awaited and its result printed, and so is a run that ends with this
 * command.
 */
export async function answerApproval(
  service: Service,
  { id, runId }: Approval,
  decision: Decision,
  options: CommonOptions,
): Promise<number> {
  const answered = await service.send<{ readonly message: string }>("POST", `/api/approvals/${id}`, decision);
  if (options.json) printJson(answered);
  else printNote(answered.message);
  if (runId === null && decision.approved !== true) return exitCodes.ok;
  if (runId === null) return printCall(await waitForCall(service, id), options);
  if (service.own) return followRun(service, runId, options);
  if (!options.json) printNote(`Its run goes on. To look at it: pergola runs show ${runId}`);
  return exitCodes.ok;
}

/** Waits for the end of a call by hand that was allowed: nobody else prints its result. */
async function waitForCall(service: Service, id: string): Promise<Approval> {
  for (;;) {
    const approval = await service.get<Approval>(`/api/approvals/${id}`);
    if (approval.status !== "answered" || approval.decision !== "approved" || approval.result)
      return approval;
    await sleep(200);
  }
}

function printCall({ result }: Approval, { json }: CommonOptions): number {
  const { success = false, content, data = "", error = "" } = result ?? {};
  if (json) printJson(result ?? null);
  else if (success) printLines([visible(content ?? data)]);
  else printNote(error);
  return exitCodeOf(success);
}
