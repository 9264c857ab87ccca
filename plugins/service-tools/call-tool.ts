import {
  AppError,
  ToolError,
  type Effect,
  type Json,
  type JsonObject,
  type OperationResult,
  type Question,
  type ToolResult,
  type Write,
} from "@pergola/sdk";
import {
  canonicalJson,
  outcomeUnknown,
  type ActiveRun,
  type CallEnd,
  type CallRecorder,
} from "@pergola/sdk/host";
import type { Bench } from "./bench.ts";
import { approve, askPerson, show } from "./ask-person.ts";
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
import { Deadline } from "./deadline.ts";
import { toolContext } from "./tool-context.ts";

/** A call on its way through the door. */
interface Passage {
  readonly parts: Bench;
  readonly request: ToolRequest;
  readonly setting: CallSetting;
  readonly deadline: Deadline;
}

const harmless: ReadonlySet<Effect> = new Set<Effect>(["none", "read"]);
const text = (data: Json): string => (typeof data === "string" ? data : JSON.stringify(data));

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
  const passage: Passage = { parts, request, setting, deadline: new Deadline(setting.signal) };
  const { run } = setting;
  run?.atWork(request.id, "works");
  let call: Checked | undefined;
  let result = refused;
  try {
    if (result === undefined) {
      setting.signal.throwIfAborted();
      call = await checkCall(parts, request, setting);
      result = await pass(passage, call);
    }
  } catch (error) {
    result = failure(passage, error);
  }
  run?.atWork(request.id, "ended");
  return endOf(passage, call, result);
}

async function pass(passage: Passage, call: Checked): Promise<ToolResult> {
  const { parts, setting } = passage;
  const settled = setting.resumed === true ? await settle(passage, call) : "not started";
  if (settled === "happened") return happened;
  await authorize(passage, call, settled === "started");
  setting.signal.throwIfAborted();
  show(parts, call, setting, "running");
  return perform(passage, call);
}

function endOf(
  { parts, request, setting, deadline }: Passage,
  call: Checked | undefined,
  result: ToolResult,
): CallEnd {
  const duration = Math.round(deadline.elapsed());
  const named = parts.toolbox.find(request.name);
  const [tool, operation] = [call?.tool ?? named?.entry.tool.name ?? request.name, named?.operation ?? ""];
  const {
    arguments: args,
    effect,
    shown,
  } = call ?? { arguments: {}, effect: "none" as const, shown: undefined };
  const facts = { tool, operation: call?.operation ?? operation, arguments: args, effect };
  const display = shown ?? displayOf(facts.operation || tool, {}, named?.entry.tool.icon);
  if (call !== undefined)
    void parts.hooks.toolCallEnded({ call, context: contextOf(setting), result, duration });
  const metadata = {
    duration_ms: duration,
    error_code: result.error_code ?? null,
    resultId: (result["resultId"] as string | undefined) ?? null,
    bytes: Buffer.byteLength(result.content ?? result.data ?? ""),
  };
  const operationShown = named?.entry.tool.shownAs ?? facts.operation;
  const status = result.success ? "success" : "error";
  setting.run?.emit({
    type: "tool",
    callId: request.id,
    tool,
    operation: operationShown,
    status,
    display,
    metadata,
  });
  return { callId: request.id, ...facts, result, display, duration };
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
  const started = await passage.parts.stores.calls.get(call.id);
  if (started === undefined) return "not started";
  const { spec } = call;
  const same = started.digest === digestOf(call);
  if (same && spec.recovery === "repeat") return "started";
  const asked =
    same && spec.recovery === "reconcile"
      ? spec.reconcile?.(call.arguments as never, open(passage, call))
      : undefined;
  const told = await asked?.catch(() => "unknown");
  if (told === "happened") return "happened";
  if (told === "did_not_happen") return "started";
  throw new ToolError("outcome_unknown", outcomeUnknown.message, { hint: outcomeUnknown.hint });
}

/**
 * Asks the policy, and the person where the policy says so. A call that was started before has passed here
 * already.
 */
async function authorize(passage: Passage, call: Checked, again: boolean): Promise<void> {
  const { parts, request, setting, deadline } = passage;
  const verdict = (await parts.hooks.authorizeToolCall(call, contextOf(setting))) ?? {
    decision: "ask" as const,
    reason: "no policy is installed",
  };
  if (verdict.decision === "deny") throw new ToolError(verdict.code, verdict.message);
  if (again) return;
  const grant =
    verdict.decision === "ask"
      ? await parts.approvals.useGrant(call, personsConversation(setting))
      : undefined;
  if (verdict.decision === "ask" && grant === undefined)
    await deadline.pause(approve(parts, call, request, verdict.reason, setting));
  const started = await start(passage, call, grant).catch((cause: unknown) => {
    if (grant !== undefined && AppError.is(cause) && cause.code === "conflict") return false;
    throw cause;
  });
  if (!started) await authorize(passage, call, again);
}

/** A call with an effect is durable as started before it runs, in one commit with the use of its grant. */
async function start(
  { parts, setting: { run, conversation } }: Passage,
  call: Checked,
  grant: Write | undefined,
): Promise<boolean> {
  const { id, tool, operation, effect } = call;
  const startedAt = parts.timestamp();
  const owner = { runId: run?.id ?? null, conversationId: conversation.id };
  const put = {
    id,
    ...owner,
    tool,
    operation,
    effect,
    arguments: canonicalJson(call.arguments),
    digest: digestOf(call),
    startedAt,
  };
  const writes: readonly Write[] = [
    ...(harmless.has(effect) ? [] : [{ collection: "calls", put, ifVersion: 0 }]),
    ...(grant === undefined ? [] : [grant]),
  ];
  if (writes.length === 0) return true;
  await run?.admit();
  await parts.stores.commit(writes);
  return true;
}

const open = ({ parts, setting, deadline }: Passage, call: Checked, recorder?: CallRecorder) =>
  toolContext(parts, setting, {
    callId: call.id,
    entry: call.entry,
    paths: call.paths,
    signal: deadline.signal,
    recorder,
    ask: (question: Question) => deadline.pause(askPerson(parts, call, question, setting)),
    progress: (line) => {
      show(parts, call, setting, "running", [line]);
      setting.progressed?.(line);
    },
  });

const lineageOf = (run: ActiveRun | undefined): readonly string[] =>
  run === undefined ? [] : [...lineageOf(run.parent), run.id];

/** What the call changes in files goes on record, where it may change any. */
function recorderOf({ parts, setting }: Passage, call: Checked): CallRecorder | undefined {
  const { id: callId, tool, operation, effect, paths, workingDirectory, entry } = call;
  if (harmless.has(effect)) return undefined;
  const { processes = [] } = entry.plugin.permissions;
  const programs = processes === "any" ? "any" : processes.length > 0 ? "some" : "none";
  const lineage = lineageOf(setting.run ?? undefined);
  const of = {
    callId,
    tool,
    operation,
    effect,
    workingDirectory,
    lineage,
    programs,
    conversationId: setting.conversation.id,
  } as const;
  return parts.changes?.recorder({ ...of, paths: paths.map(({ real }) => real) });
}

async function perform(passage: Passage, call: Checked): Promise<ToolResult> {
  const { parts, setting, deadline } = passage;
  const { spec, id: callId, tool, operation } = call;
  const seconds = spec.timeoutSeconds ?? parts.preferences.get<number>("tools.timeout_seconds");
  const recorder = recorderOf(passage, call);
  await recorder?.begin();
  const work = async () =>
    deadline.limit(spec.run(call.arguments as never, open(passage, call, recorder)), seconds);
  const done = await work().finally(() => recorder?.end());
  const raw = parts.redactOutput(resultOf(done, call.unknown) as JsonObject) as unknown as ToolResult;
  const shaped = await parts.hooks.shapeToolResult(raw, call, contextOf(setting));
  if (spec.keepWhole === true) return shaped;
  return parts.results.keep(shaped, { callId, tool, operation, conversationId: setting.conversation.id });
}

function resultOf(
  { data, message = "", content, fields = {} }: OperationResult,
  unknown: readonly string[],
): ToolResult {
  const ignored = unknown.length === 0 ? "" : ` Unknown arguments were ignored: ${unknown.join(", ")}.`;
  return {
    success: true,
    data: text(data),
    message: `${message}${ignored}`.trim(),
    ...(content === undefined ? {} : { content }),
    ...fields,
  };
}

function failure({ parts, request: { id, name }, setting }: Passage, error: unknown): ToolResult {
  const failed = (error_code: string, said: string, message = ""): ToolResult => ({
    success: false,
    error: said,
    message,
    error_code,
  });
  if (setting.signal.aborted) return failed("cancelled", "The call was cancelled.");
  if (ToolError.is(error))
    return { ...failed(error.code, parts.redact(error.message), parts.redact(error.hint)), ...error.fields };
  if (AppError.is(error)) return failed(error.code, parts.redact(error.message));
  parts.log.error({ error, call: id, tool: name }, "a tool failed unexpectedly");
  const said = error instanceof Error ? parts.redact(error.message) : "unknown fault";
  return failed(
    "generic_error",
    `${name} failed: ${said}`,
    "Try another way; the service's log has the details.",
  );
}
