import { defined, messageOf, ToolError, type Answer, type Question } from "@pergola/sdk";
import {
  canonicalJson,
  type ApprovalDraft,
  type HeldFile,
  type Parts,
  type ToolStatus,
  type Preview,
} from "@pergola/sdk/host";
import type { AppearedFiles } from "./appeared-files.ts";
import { boundFiles } from "./bound-files.ts";
import { checkCall, contextOf, digestOf, personsConversation, type Checked } from "./check-call.ts";
import type { Passage } from "./passage.ts";
import { foresee } from "./preview-call.ts";
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
  const { run, signal, denials, caller } = setting;
  report(passage, call, "userInputRequired");
  const { arguments: args, workingDirectory } = call;
  const byHand = run === null ? { arguments: args, workingDirectory, caller } : undefined;
  const answer = await parts.approvals.ask(
    { ...draft, ...defined({ byHand }), toolCallId: call.id },
    {
      run,
      conversationId: personsConversation(setting),
      signal,
      caller,
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

/** How often the person is asked about one call whose basis changes meanwhile. */
const mostQuestions = 2;

/** Characters of its arguments above which nobody can be shown a call. */
const mostShown = 262_144;

/**
 * Resolves once the person has said yes to exactly this call on exactly what it rests on, with the call as it
 * then is. Where that has changed meanwhile they are asked anew. Throws ToolError for any other end, and when
 * it changes again and again.
 */
export async function approve(passage: Passage, call: Checked, reason: string): Promise<Checked> {
  const { parts, request, setting } = passage;
  let shown: Shown = { call, reason, ...(await lookAt(passage, call)) };
  for (let asked = 0; asked < mostQuestions; asked += 1) {
    await askAbout(passage, shown);
    const now = await checkCall(parts, request, setting);
    const seen = await lookAt(passage, now);
    if (seen.digest === shown.digest) {
      if (!isSameOutcome(seen.preview, shown.preview)) report(passage, now, "running", [otherOutcome]);
      return now;
    }
    shown = { call: now, reason: `changed since it was shown; ${await reasonNow(passage, now)}`, ...seen };
  }
  throw new ToolError("permission_denied", "What the call would do has changed since it was approved.", {
    hint: "What it rests on changes again and again. Find out what writes it before you call again.",
  });
}

/** What a call would do, and what stands for it with all that it rests on. */
async function lookAt(passage: Passage, call: Checked): Promise<Pick<Shown, "digest" | "preview">> {
  const [files, { preview, basis }] = await Promise.all([boundFiles(call), foresee(passage, call)]);
  const environment = call.effect === "execute" ? [...passage.parts.doors.variables()] : [];
  const digest = digestOf(call, {
    ...(files.length > 0 && { files: [...files] }),
    ...(basis.length > 0 && { basis: [...basis] }),
    ...(environment.length > 0 && { environment }),
  });
  return { digest, preview };
}

const otherOutcome = "What it leaves in files is not what was shown: it says something else at each call.";

/** A date in a text, say, makes another outcome of the same basis. */
const isSameOutcome = (one: Preview, other: Preview): boolean =>
  one.files.length === other.files.length &&
  one.files.every(({ path, after }, index) => {
    const shown = other.files[index];
    return shown?.path === path && shown.after?.sha256 === after?.sha256;
  });

/** Why a call that has become another one asks. Throws ToolError where it may not run at all now. */
async function reasonNow({ parts, setting }: Passage, call: Checked): Promise<string> {
  const watch = setting.run?.steps.watch("authorize", call.id);
  const verdict = await parts.hooks.authorizeToolCall(call, contextOf(setting), watch);
  if (verdict?.decision === "deny") throw new ToolError(verdict.code, verdict.message);
  return verdict?.decision === "ask" ? verdict.reason : "look at it again";
}

interface Shown {
  readonly call: Checked;
  readonly reason: string;
  readonly digest: string;
  readonly preview: Preview;
}

async function askAbout(passage: Passage, { call, reason, digest, preview }: Shown): Promise<void> {
  const { parts, setting } = passage;
  if (canonicalJson(call.arguments).length > mostShown)
    throw new ToolError("invalid_value", "The call is too long to be shown to the person.", {
      hint: "Make it in several calls, or write into the working directory.",
    });
  const name = `${call.tool}.${call.operation}`;
  const { approval } = await ask(passage, call, name, {
    ...factsOf(parts, call),
    kind: "approval",
    paths: call.paths.map(({ real }) => real),
    effect: call.effect,
    reason,
    prompt: `${name}: ${call.display.summary}`,
    preview,
    digest,
  });
  if (approval.decision !== "approved") throw refusal(approval, setting.denials.get(name) ?? 0);
}

/**
 * Asks whether what appeared under protected names while the programs of a call ran may stay; puts it back
 * after a yes. Gives a sentence for the model, empty where nothing appeared.
 */
export async function reviewAppeared(
  passage: Passage,
  call: Checked,
  { held }: AppearedFiles,
): Promise<string> {
  const paths = held.map((file) => file.path);
  if (paths.length === 0) return "";
  const { approval } = await ask(passage, call, `${call.tool}.${call.operation}`, {
    ...factsOf(passage.parts, call),
    kind: "approval",
    paths,
    effect: call.effect,
    reason: `other programs execute or trust what appeared while it ran: ${paths.join(", ")}`,
    prompt: `${call.tool}.${call.operation} has run. Keep what appeared meanwhile?`,
    digest: digestOf(call, { appeared: [...paths] }),
  });
  report(passage, call, "running");
  if (approval.decision === "approved") return putBack(passage.parts, held);
  const ids = held.map(({ id }) => id).join(", ");
  return `The person did not want to keep ${paths.join(", ")}: moved away (${ids} of \`pergola held list\`).`;
}

/** What cannot be put back stays held, and is said. */
async function putBack({ heldFiles }: Passage["parts"], held: readonly HeldFile[]): Promise<string> {
  const said: string[] = [];
  for (const { id, path } of held)
    said.push(
      await heldFiles.putBack(id).then(
        () => `The person lets ${path} stay.`,
        (error: unknown) => `${path} could not be put back (${messageOf(error)}).`,
      ),
    );
  return said.join(" ");
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
    preview: null,
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
