import { defined, type Message, type Page } from "@pergola/sdk";
import type { Parts, RunStep, StoredApproval, StoredRun, StoredStep } from "@pergola/sdk/host";
import { cutText } from "./excerpts.ts";
import type { StepLog } from "./step-log.ts";

/** More than any run has. */
const everything = { limit: 100_000 } as const;

/**
 * What happened in a run: its stored steps, with its questions and its calls put in their places, which are
 * kept as approvals and messages. `log`: of a run that this host works on.
 */
export async function explainRun(parts: Parts, run: StoredRun, log?: StepLog): Promise<Page<RunStep>> {
  const { id: runId } = run;
  const { approvals, messages } = parts.stores;
  const [recorded, asked, said] = await Promise.all([
    readSteps(parts, run, log),
    approvals.find({ runId }, { order: "createdAt", ...everything }),
    messages.find({ runId }, { order: "seq", ...everything }),
  ]);
  const questions = asked.map((approval) => questionStep(parts, approval, recorded));
  const calls = said.flatMap((message) => callStep(parts, message, [...recorded, ...questions]));
  const steps = inOrder(recorded, [...questions, ...calls]);
  return { items: steps.map((step) => publicStep(parts, step)), count: steps.length };
}

/** How many steps of a run are stored. */
export async function countSteps(
  { stores }: Parts,
  { id: runId, conversationId }: StoredRun,
): Promise<number> {
  const [last] = await stores.runSteps.find({ conversationId, runId }, { order: "-from", limit: 1 });
  return last === undefined ? 0 : last.from + last.steps.length;
}

/** Those that are stored, and those that are still to be. */
async function readSteps(
  { stores }: Parts,
  { id: runId, conversationId }: StoredRun,
  log: StepLog | undefined,
): Promise<readonly StoredStep[]> {
  const pending = log?.pending;
  const options = { order: "from", ...everything } as const;
  const stored = await stores.runSteps.find({ conversationId, runId }, options);
  const before = stored.filter(({ from }) => pending === undefined || from < pending.from);
  return withTexts([...before.flatMap(({ steps }) => steps), ...(pending?.steps ?? [])]);
}

/** Steps that say the same as the last one of their plugin, in its words. */
function withTexts(steps: readonly StoredStep[]): readonly StoredStep[] {
  const last = new Map<string, Partial<StoredStep>>();
  return steps.map((step) => {
    const { plugin, hook, before, after, note, isSame } = step;
    const key = `${plugin} ${hook}`;
    if (isSame === true) return { ...step, ...last.get(key) };
    if (after !== undefined) last.set(key, { before, after, note });
    return step;
  });
}

/** A question: asked by the plugin whose verdict it was, or by the tool itself. */
function questionStep(
  parts: Parts,
  { toolCallId: callId, createdAt, answeredAt, prompt, reason, ...approval }: StoredApproval,
  recorded: readonly StoredStep[],
): StoredStep {
  const { kind, tool, status, decision, answer, answeredBy } = approval;
  const isVerdict = kind === "approval" && approval.authorizeOperation === null;
  const verdict = recorded.find((step) => isVerdict && step.callId === callId && step.after === "ask");
  const at = Date.parse(createdAt);
  const end = answeredAt === null ? parts.clock.now() : Date.parse(answeredAt);
  const given =
    decision === "text" || decision === null ? answer : [decision, answer].filter(Boolean).join(": ");
  const by = answeredBy === undefined ? [] : [`answered by ${answeredBy.name}`];
  return {
    ...defined({ hook: verdict?.hook, callId }),
    kind: "ask",
    at,
    milliseconds: status === "answered" || status === "pending" ? Math.max(0, end - at) : 0,
    plugin: verdict?.plugin ?? pluginOf(parts, tool),
    before: prompt,
    after: given ?? status,
    note: [reason, ...by].filter((text) => text !== "").join("; "),
  };
}

/** The call whose end a message tells; none for other messages. */
function callStep(
  parts: Parts,
  { toolCallId: callId, timestamp, toolDuration: milliseconds = 0, ...message }: Message,
  known: readonly StoredStep[],
): readonly StoredStep[] {
  if (message.role !== "tool" || callId === undefined) return [];
  const own = known.filter((step) => step.callId === callId);
  const passed = own.filter(({ kind }) => kind === "authorize" || kind === "ask");
  const shaped = own.find(({ kind }) => kind === "result");
  const free = Math.max(...passed.map((step) => Math.round(step.at + step.milliseconds)));
  const begun = passed.length > 0 ? free : Math.round(Date.parse(timestamp) - milliseconds);
  return [
    {
      kind: "call",
      at: Math.min(begun, shaped?.at ?? begun),
      milliseconds,
      plugin: pluginOf(parts, message.toolName ?? ""),
      callId,
      note: callNote(message),
    },
  ];
}

function callNote(message: Omit<Message, "timestamp" | "toolCallId" | "toolDuration">): string {
  const { toolName = "", toolOperation, toolStatus, toolMetadata, toolDisplayData } = message;
  const name = [toolName, toolOperation].filter(Boolean).join(".");
  const { error_code: code, resultId } = toolMetadata ?? {};
  const facts = [toolDisplayData?.["summary"], toolStatus === "error" && "failed", code];
  if (typeof resultId === "string") facts.push(`its result is stored as ${resultId}`);
  return [name, ...facts.filter((fact) => typeof fact === "string")].join("; ");
}

const pluginOf = ({ registered }: Parts, tool: string): string | null =>
  registered.tools.find((each) => each.tool.name === tool)?.plugin.id ?? null;

/**
 * The steps that were recorded, in their order, and the others where their time is: behind the verdict on
 * their call.
 */
function inOrder(recorded: readonly StoredStep[], others: readonly StoredStep[]): readonly StoredStep[] {
  const ordered: StoredStep[] = [...recorded];
  for (const step of others.toSorted((a, b) => a.at - b.at)) {
    const verdict = ordered.findLastIndex((one) => one.callId === step.callId && isBefore(one, step));
    const later = ordered.findIndex((one, index) => index > verdict && one.at >= step.at);
    ordered.splice(later < 0 ? ordered.length : later, 0, step);
  }
  return ordered.toSorted((a, b) => a.at - b.at);
}

const ranks = { shape: 0, model: 0, authorize: 1, ask: 2, call: 3, result: 4 } as const;

const isBefore = (one: StoredStep, other: StoredStep): boolean =>
  ranks[one.kind] < ranks[other.kind] && one.at <= other.at;

/** What happened, by the kind of the step. */
const titles: Readonly<Record<RunStep["kind"], string>> = {
  shape: "Changed what the model sees",
  model: "Model answered",
  authorize: "Decided on a call",
  ask: "Asked you",
  call: "Called a tool",
  result: "Changed a result",
};

const verdicts: Readonly<Record<string, string>> = {
  allow: "Allowed a call",
  deny: "Blocked a call",
  ask: "Had you asked",
};

function titleOf({ kind, hook, after = "" }: StoredStep): string {
  if (kind === "model" && hook !== undefined) return "Chose the model";
  return (kind === "authorize" ? verdicts[after] : undefined) ?? titles[kind];
}

/** Secrets that were learned since it was stored are not shown either. */
function publicStep(parts: Parts, step: StoredStep): RunStep {
  const text = (given: string | undefined): string | null =>
    given === undefined ? null : cutText(parts.redact(given));
  const { kind, milliseconds, plugin, hook = null, callId = null, tokens = null, costUsd = null } = step;
  return {
    at: new Date(step.at).toISOString(),
    milliseconds,
    kind,
    title: titleOf(step),
    plugin,
    hook,
    callId,
    before: text(step.before),
    after: text(step.after),
    note: text(step.note),
    tokens,
    costUsd,
  };
}
