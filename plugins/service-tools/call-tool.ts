import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import {
  AppError,
  defined,
  ToolError,
  type Json,
  type JsonObject,
  type OperationResult,
  type Question,
  type ToolResult,
  type Write,
} from "@pergola/sdk";
import { canonicalJson, pick, type CallEnd, type CallRecorder } from "@pergola/sdk/host";
import type { Bench } from "./bench.ts";
import { AppearedFiles } from "./appeared-files.ts";
import { approve, askPerson, report, reviewAppeared } from "./ask-person.ts";
import {
  checkCall,
  contextOf,
  digestOf,
  displayOf,
  personsConversation,
  type CallSetting,
  type Checked,
  type ToolRequest,
} from "./check-call.ts";
import { meaningOf } from "./call-meaning.ts";
import { failure, unknownOutcome } from "./call-failure.ts";
import { isHarmless } from "./describe-tool.ts";
import { Deadline } from "./deadline.ts";
import type { Passage } from "./passage.ts";
import { picturesOf } from "./pictures.ts";
import { recorderOf } from "./recorder-of.ts";
import { toolContext } from "./tool-context.ts";
import { endOfGrant, usableGrant, withWalls } from "./without-walls.ts";

const textOf = (data: Json): string => (typeof data === "string" ? data : JSON.stringify(data));

/**
 * The one door for tool calls: find, check, authorise, run, shape. A failure is a result, never a throw.
 * `refused` is the answer to a call that a guard does not let through.
 */
export async function callTool(
  parts: Bench,
  request: ToolRequest,
  setting: CallSetting,
  refused?: ToolResult,
): Promise<CallEnd> {
  const deadline = new Deadline(setting.signal);
  const progress = { begun: false, granted: false, grantedUntil: null, shaped: false };
  const passage: Passage = { parts, request, setting, deadline, progress };
  const { run } = setting;
  run?.setCallState(request.id, "works");
  let call: Checked | undefined;
  let outcome = refused && { result: refused };
  try {
    if (outcome === undefined) {
      setting.signal.throwIfAborted();
      call = await checkCall(parts, request, setting);
      outcome = await pass(passage, call);
    }
  } catch (error) {
    outcome = { result: await failure(passage, call, error) };
  }
  run?.setCallState(request.id, "ended");
  return endOf(passage, call, outcome);
}

type Outcome = Pick<CallEnd, "result" | "images">;

async function pass(passage: Passage, call: Checked): Promise<Outcome> {
  const { setting } = passage;
  const settled = await settle(passage, call);
  if (settled === "happened") return { result: happened };
  const allowed = await authorize(passage, call, settled === "started");
  setting.signal.throwIfAborted();
  report(passage, allowed, "running");
  return perform(passage, allowed);
}

function endOf(passage: Passage, call: Checked | undefined, outcome: Outcome): CallEnd {
  const { parts, request, setting, deadline, progress } = passage;
  const { result } = outcome;
  const allowed = progress.granted ? { allowed_until: progress.grantedUntil } : undefined;
  const duration = Math.round(deadline.elapsed());
  if (call !== undefined)
    void parts.hooks.toolCallEnded({ call, context: contextOf(setting), result, duration });
  const { shownAs, ...end } = call ? checkedFacts(call) : unknownFacts(passage);
  setting.run?.emit({
    type: "tool",
    callId: request.id,
    tool: end.tool,
    operation: shownAs ?? end.operation,
    status: result.success ? "success" : "error",
    display: end.display,
    metadata: {
      duration_ms: duration,
      error_code: result.error_code ?? null,
      resultId: (result["resultId"] as string | undefined) ?? null,
      bytes: Buffer.byteLength(result.content ?? result.data ?? ""),
      ...allowed,
    },
  });
  const facts = { callId: request.id, duration, passage: passageOf(passage), ...defined({ allowed }) };
  return { ...end, ...outcome, ...facts };
}

const passageOf = ({ progress: { begun, granted, shaped } }: Passage): CallEnd["passage"] => ({
  ...(!begun && { refused: true }),
  ...(granted && { granted: true }),
  ...(shaped && { shaped: true }),
});

const checkedFacts = (call: Checked) => ({
  ...pick(call, "tool", "operation", "arguments", "effect", "display"),
  shownAs: call.entry.tool.operationLabel,
});

/** Of a call that was not checked no more is known than what it calls. */
function unknownFacts({ parts: { toolbox }, request }: Passage) {
  const { family, operation } = meaningOf(toolbox, request);
  const { name: tool = request.name } = family ?? {};
  return {
    tool,
    operation,
    arguments: {},
    effect: "none" as const,
    display: displayOf(operation || tool, {}, family?.icon),
    shownAs: family?.operationLabel,
  };
}

const happened: ToolResult = {
  success: true,
  data: "",
  message: "It had been done before the service stopped; it was not done again.",
};

/**
 * What became of a call that the last stop may have cut: its operation's recovery decides, and in doubt it is
 * not run again.
 */
async function settle(passage: Passage, call: Checked): Promise<"not started" | "started" | "happened"> {
  if (passage.setting.resumed !== true) return "not started";
  const started = await passage.parts.stores.calls.get(call.id);
  if (started === undefined) return "not started";
  const { spec } = call;
  if (started.digest === digestOf(call)) {
    if (spec.recovery === "repeat") return "started";
    const outcome = spec.recovery === "reconcile" && (await reconcile(passage, call));
    if (outcome === "happened") return "happened";
    if (outcome === "did_not_happen") return "started";
  }
  throw unknownOutcome();
}

const reconcile = async (passage: Passage, call: Checked) =>
  call.spec
    .reconcile?.(call.arguments as never, open(passage, call, appearedIn(passage, call)))
    .catch(() => "unknown" as const);

const appearedIn = ({ parts, setting }: Passage, { id: callId, tool, operation }: Checked): AppearedFiles =>
  new AppearedFiles(parts, { callId, runId: setting.run?.id ?? null, tool, operation });

/**
 * Asks the policy, and the person where the policy says so. A call that was started before has passed here
 * already. Gives back the call as it may run: as it was when the person said yes.
 */
async function authorize(passage: Passage, call: Checked, again: boolean): Promise<Checked> {
  const { parts, setting, deadline } = passage;
  const watch = setting.run?.steps.watch("authorize", call.id);
  const verdict = (await parts.hooks.authorizeToolCall(call, contextOf(setting), watch)) ?? {
    decision: "ask" as const,
    reason: "no policy is installed",
  };
  if (verdict.decision === "deny") throw new ToolError(verdict.code, verdict.message);
  if (again) return call;
  const mustAsk = verdict.decision === "ask";
  const grant = mustAsk ? await usableGrant(parts, call, personsConversation(setting)) : undefined;
  const isAsked = mustAsk && grant === undefined;
  const reason = isAsked ? await withWalls(parts, call, verdict.reason) : "";
  const allowed = isAsked ? await deadline.pause(approve(passage, call, reason)) : call;
  const started = await start(passage, allowed, grant).catch((cause: unknown) => {
    if (grant !== undefined && AppError.is(cause) && cause.code === "conflict") return false;
    throw cause;
  });
  passage.progress.granted = started && grant !== undefined;
  passage.progress.grantedUntil = grant === undefined ? null : endOfGrant(grant);
  return started ? allowed : authorize(passage, call, again);
}

/** A call with an effect is durable as started before it runs, in one commit with the use of its grant. */
async function start(
  { parts, setting: { run, conversation } }: Passage,
  call: Checked,
  grant: Write | undefined,
): Promise<boolean> {
  const { id, tool, operation, effect } = call;
  const put = {
    id,
    runId: run?.id ?? null,
    conversationId: conversation.id,
    tool,
    operation,
    effect,
    arguments: canonicalJson(call.arguments),
    digest: digestOf(call),
    startedAt: parts.timestamp(),
  };
  const writes: Write[] = [];
  if (!isHarmless(effect)) writes.push({ collection: "calls", put, ifVersion: 0 });
  if (grant !== undefined) writes.push(grant);
  if (writes.length === 0) return true;
  await run?.admit();
  await parts.stores.commit(writes, run ?? { fence: parts.approvals.fenceOf(id) });
  return true;
}

function open(passage: Passage, call: Checked, appeared: AppearedFiles, recorder?: CallRecorder) {
  const { parts, setting, deadline } = passage;
  return toolContext(parts, setting, {
    callId: call.id,
    entry: call.entry,
    paths: call.paths,
    signal: deadline.signal,
    recorder,
    appeared,
    ask: (question: Question) => deadline.pause(askPerson(passage, call, question)),
    progress: (line) => {
      report(passage, call, "running", [line]);
      setting.onProgress?.(line);
    },
  });
}

async function perform(passage: Passage, call: Checked): Promise<Outcome> {
  const { parts, setting, deadline } = passage;
  const { spec, id: callId, tool, operation } = call;
  const seconds = spec.timeoutSeconds ?? parts.preferences.get<number>("tools.timeout_seconds");
  await makeDirectory(setting.workingDirectory);
  const recorder = recorderOf(passage, call);
  await recorder?.begin();
  const appeared = appearedIn(passage, call);
  const context = open(passage, call, appeared, recorder);
  passage.progress.begun = true;
  const work = async () => {
    const result = await deadline.limit(spec.run(call.arguments as never, context), seconds);
    const note = await deadline.pause(reviewAppeared(passage, call, appeared));
    return note === "" ? result : { ...result, message: `${result.message ?? ""} ${note}`.trim() };
  };
  const done = await work().finally(() => recorder?.end());
  const raw = parts.redactOutput(resultOf(done, call.unknown) as JsonObject) as unknown as ToolResult;
  const watch = setting.run?.steps.watch("result", callId);
  const shaped = await parts.hooks.shapeToolResult(raw, call, contextOf(setting), watch);
  passage.progress.shaped = shaped !== raw && !isDeepStrictEqual(shaped, raw);
  const images = picturesOf(done, setting);
  if (spec.keepWhole === true) return { result: shaped, images };
  const fence = setting.run?.fence ?? parts.approvals.fenceOf(callId);
  const of = { callId, tool, operation, conversationId: setting.conversation.id, fence };
  return { result: await parts.results.store(shaped, of), images };
}

async function makeDirectory(folder: string): Promise<void> {
  // Looking takes a fiftieth of the time of making, which is left to another thread.
  if (existsSync(folder)) return;
  await mkdir(folder, { recursive: true }).catch((cause: unknown) => {
    throw new ToolError("unavailable", "The working directory cannot be made.", {
      hint: "Tell the person.",
      cause,
    });
  });
}

function resultOf(
  { data, message = "", content, fields = {} }: OperationResult,
  unknown: readonly string[],
): ToolResult {
  const ignored = unknown.length === 0 ? "" : ` Unknown arguments were ignored: ${unknown.join(", ")}.`;
  return {
    success: true,
    data: textOf(data),
    message: `${message}${ignored}`.trim(),
    ...defined({ content }),
    ...fields,
  };
}
