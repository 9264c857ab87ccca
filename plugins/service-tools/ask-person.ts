import { isDeepStrictEqual } from "node:util";
import { defined, ToolError, type Answer, type JsonObject, type Question } from "@pergola/sdk";
import type { ApprovalDraft, Parts, ToolStatus } from "@pergola/sdk/host";
import { boundFiles } from "./bound-files.ts";
import { checkCall, digestOf, personsConversation, type Checked } from "./check-call.ts";
import type { Passage } from "./passage.ts";
import { refusal } from "./refusal.ts";

/** Reports where a call stands to those who follow the run. */
export function report(
  { parts, setting }: Passage,
  call: Checked,
  status: ToolStatus,
  details?: readonly string[],
): void {
  setting.run?.emit({
    type: "tool",
    callId: call.id,
    tool: call.tool,
    operation: call.entry.tool.operationLabel ?? call.operation,
    status,
    display: parts.redactJson({ ...call.display }),
    ...defined({ details }),
  });
}

/** Asks, and waits; a no is counted for the operation that it was about. */
async function ask(
  passage: Passage,
  call: Checked,
  operation: string,
  draft: Omit<ApprovalDraft, "toolCallId">,
) {
  const { parts, setting } = passage;
  const { run, signal, denials } = setting;
  report(passage, call, "userInputRequired");
  const { arguments: args, workingDirectory } = call;
  const byHand = run === null ? { arguments: args, workingDirectory } : undefined;
  const answer = await parts.approvals.ask(
    { ...draft, ...defined({ byHand }), toolCallId: call.id },
    {
      run,
      conversationId: personsConversation(setting),
      signal,
      onQuestion: (id) => setting.onQuestion?.(id),
    },
  );
  if (answer.approval.decision === "denied") denials.set(operation, (denials.get(operation) ?? 0) + 1);
  return answer;
}

const factsOf = (parts: Parts, { tool, operation, arguments: args }: Checked) => ({
  tool,
  operation,
  arguments: parts.redactJson(args),
});

/** How often the person is asked about one call whose files change meanwhile. */
const mostQuestions = 2;

/**
 * Resolves once the person has said yes to exactly this call, on exactly these files. Throws ToolError for
 * any other end, and when the call has become another by then.
 */
export async function approve(passage: Passage, call: Checked, reason: string): Promise<void> {
  const { parts, request, setting } = passage;
  const digest = digestOf(call);
  let files = await boundFiles(call);
  for (let asked = 0; asked < mostQuestions; asked += 1) {
    await askAbout(passage, call, asked === 0 ? reason : `changed since it was shown; ${reason}`, files);
    const now = await checkCall(parts, request, setting);
    if (digestOf(now) !== digest)
      throw changed("A link or a folder on its way now leads elsewhere. Look at the paths, then call again.");
    const filesNow = await boundFiles(now);
    if (isDeepStrictEqual(filesNow, files)) return;
    files = filesNow;
  }
  throw changed(
    "A file that it names changes again and again. Find out what writes it before you call again.",
  );
}

const changed = (hint: string): ToolError =>
  new ToolError("permission_denied", "What the call would do has changed since it was approved.", { hint });

async function askAbout(
  passage: Passage,
  call: Checked,
  reason: string,
  files: readonly JsonObject[],
): Promise<void> {
  const { parts, setting } = passage;
  const name = `${call.tool}.${call.operation}`;
  const { approval } = await ask(passage, call, name, {
    ...factsOf(parts, call),
    kind: "approval",
    paths: call.paths.map(({ real }) => real),
    effect: call.effect,
    reason,
    prompt: `${name}: ${call.display.summary}`,
    digest: digestOf(call, files.length === 0 ? {} : { files: [...files] }),
  });
  if (approval.decision !== "approved") throw refusal(approval, setting.denials.get(name) ?? 0);
}

/** A question that an operation asks by itself; with `authorizeOperation` a yes permits that operation. */
export async function askPerson(passage: Passage, call: Checked, question: Question): Promise<Answer> {
  const { approval, grantId } = await ask(passage, call, ...draftOf(passage, call, question));
  if (approval.status !== "answered") throw refusal(approval, 0);
  report(passage, call, "running");
  const { decision, answer } = approval;
  return {
    decision: decision ?? "denied",
    text: answer ?? "",
    ...defined({ grantId }),
  };
}

/** The operation that a question is about, empty where it permits none, and the question as it is stored. */
function draftOf(passage: Passage, call: Checked, question: Question) {
  const { doors } = passage.parts;
  const { prompt, context = null, options = [] } = question;
  const target = targetOf(passage, question);
  const paths = (question.paths ?? []).map((path) => doors.resolve(path, call.workingDirectory).real);
  const draft = {
    ...factsOf(passage.parts, call),
    kind: target ? ("approval" as const) : ("question" as const),
    paths,
    effect: target?.effect ?? call.effect,
    reason: "",
    prompt,
    digest: digestOf(call, { prompt, options: [...options], paths }),
    context,
    options,
    authorizeOperation: target?.name ?? null,
  };
  return [target?.name ?? "", draft] as const;
}

/** The operation that a yes would permit. */
function targetOf({ parts }: Passage, { authorizeOperation }: Question) {
  if (authorizeOperation === undefined) return undefined;
  const target = parts.toolbox.canonical(authorizeOperation);
  if (target !== undefined) return target;
  throw new ToolError("invalid_value", `There is no operation "${authorizeOperation}".`, {
    hint: "Name it as family.operation.",
  });
}
