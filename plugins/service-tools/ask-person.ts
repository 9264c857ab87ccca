import { ToolError, type Answer, type Question } from "@pergola/sdk";
import type { ApprovalDraft, Parts, StoredApproval, ToolStatus } from "@pergola/sdk/host";
import type { Bench } from "./bench.ts";
import {
  checkCall,
  digestOf,
  personsConversation,
  type CallSetting,
  type Checked,
  type ToolRequest,
} from "./check-call.ts";
import { refusal } from "./refusal.ts";

/** Tells those who follow the run where a call stands. */
export function show(
  parts: Parts,
  call: Checked,
  { run }: CallSetting,
  status: ToolStatus,
  details?: readonly string[],
): void {
  const operation = call.entry.tool.shownAs ?? call.operation;
  run?.emit({
    type: "tool",
    callId: call.id,
    tool: call.tool,
    operation,
    status,
    display: parts.redactJson({ ...call.shown }),
    ...(details === undefined ? {} : { details }),
  });
}

/** Asks, and waits; a no is counted for the operation that it was about. */
async function ask(
  parts: Parts,
  call: Checked,
  setting: CallSetting,
  about: string,
  draft: Omit<ApprovalDraft, "toolCallId">,
) {
  const { run, signal, denials } = setting;
  show(parts, call, setting, "userInputRequired");
  const asked = (id: string): void => setting.asked?.(id);
  const byHand =
    run === null ? { byHand: { arguments: call.arguments, workingDirectory: call.workingDirectory } } : {};
  const question = { ...draft, ...byHand, toolCallId: call.id };
  const asking = await parts.approvals.ask(question, {
    run,
    conversationId: personsConversation(setting),
    signal,
    asked,
  });
  if (asking.approval.decision === "denied") denials.set(about, (denials.get(about) ?? 0) + 1);
  return asking;
}

const factsOf = (parts: Parts, { tool, operation, arguments: args }: Checked) => ({
  tool,
  operation,
  arguments: parts.redactJson(args),
});

/**
 * Resolves once the person has said yes to exactly this call. Throws ToolError for any other end, and when
 * the call is another by then.
 */
export async function approve(
  parts: Bench,
  call: Checked,
  request: ToolRequest,
  reason: string,
  setting: CallSetting,
): Promise<void> {
  const about = `${call.tool}.${call.operation}`;
  const prompt = `${about}: ${call.shown.summary}`;
  const [digest, paths] = [digestOf(call), call.paths.map(({ real }) => real)];
  const draft = {
    ...factsOf(parts, call),
    kind: "approval" as const,
    paths,
    effect: call.effect,
    reason,
    prompt,
    digest,
  };
  const { approval } = await ask(parts, call, setting, about, draft);
  if (approval.decision !== "approved") throw refusal(approval, setting.denials.get(about) ?? 0);
  if (digestOf(await checkCall(parts, request, setting)) === digest) return;
  throw new ToolError("permission_denied", "What the call would do has changed since it was approved.", {
    hint: "A link or a folder on its way now leads elsewhere. Look at the paths, then call again.",
  });
}

/** A question that an operation asks by itself; with `authorizeOperation` a yes permits that operation. */
export async function askPerson(
  parts: Bench,
  call: Checked,
  question: Question,
  setting: CallSetting,
): Promise<Answer> {
  const { prompt, context = null, options = [], authorizeOperation } = question;
  const target = authorizeOperation === undefined ? undefined : parts.toolbox.canonical(authorizeOperation);
  if (authorizeOperation !== undefined && target === undefined)
    throw new ToolError("invalid_value", `There is no operation "${authorizeOperation}".`, {
      hint: "Name it as family.operation.",
    });
  const paths = (question.paths ?? []).map((path) => parts.doors.resolve(path, call.workingDirectory).real);
  const kind = target === undefined ? ("question" as const) : ("approval" as const);
  const digest = digestOf(call, { prompt, options: [...options], paths });
  const draft = {
    ...factsOf(parts, call),
    kind,
    paths,
    effect: target?.effect ?? call.effect,
    reason: "",
    prompt,
    digest,
  };
  const more = { context, options, authorizeOperation: target?.name ?? null };
  const { approval, grantId } = await ask(parts, call, setting, target?.name ?? "", { ...draft, ...more });
  if (approval.status !== "answered") throw refusal(approval, 0);
  show(parts, call, setting, "running");
  return answerOf(approval, grantId);
}

const answerOf = ({ decision, answer }: StoredApproval, grantId: string | undefined): Answer => ({
  decision: decision ?? "denied",
  text: answer ?? "",
  ...(grantId === undefined ? {} : { grantId }),
});
