import { createHash } from "node:crypto";
import {
  AppError,
  ToolError,
  type Answer,
  type CallContext,
  type Caller,
  type Effect,
  type Json,
  type JsonObject,
  type Operation,
  type OperationResult,
  type PendingCall,
  type Question,
  type ToolDisplay,
  type ToolResult,
  type ToolStatus,
  type Write,
} from "@pergola/sdk";
import type { Parts } from "../parts.ts";
import { prepareCall, type Prepared } from "../plugins/prepare-call.ts";
import type { RegisteredTool } from "../plugins/registry.ts";
import { refusal } from "./approvals.ts";
import { canonicalJson, checkArguments, parseArguments } from "./check-arguments.ts";
import { Deadline } from "./deadline.ts";
import { toolContext, type CallScene } from "./tool-context.ts";

export interface ToolRequest {
  readonly id: string;
  readonly name: string;
  /** An object, or its JSON text. */
  readonly arguments: unknown;
}

export interface CallSetting extends CallScene {
  readonly caller: Caller;
  readonly signal: AbortSignal;
  readonly userInitiated: boolean;
  readonly switches: Readonly<Record<string, boolean>>;
  /** The call was asked for before the service stopped; it may have been started then. */
  readonly resumed?: boolean;
  /** Denials so far in this run, by operation. */
  readonly denials: Map<string, number>;
  /** Says so when the call waits for the person. */
  asked(approvalId: string): void;
}

export interface CallEnd {
  readonly callId: string;
  readonly tool: string;
  readonly operation: string;
  readonly arguments: JsonObject;
  readonly effect: Effect;
  readonly result: ToolResult;
  readonly display: ToolDisplay;
  /** Milliseconds, waiting for the person left out. */
  readonly duration: number;
}

type Checked = PendingCall & {
  readonly entry: RegisteredTool;
  readonly spec: Operation;
  readonly unknown: readonly string[];
  readonly shown: ToolDisplay;
};

const harmless: ReadonlySet<Effect> = new Set<Effect>(["none", "read"]);
const title = (name: string): string => name.replaceAll("_", " ").replace(/^./, (letter) => letter.toUpperCase());
const text = (data: Json): string => (typeof data === "string" ? data : JSON.stringify(data));

/** The one door for tool calls: find, check, authorise, run, shape. A failure is a result, never a throw. */
export async function callTool(parts: Parts, request: ToolRequest, setting: CallSetting): Promise<CallEnd> {
  const named = parts.tools.find(request.name);
  let call: Checked | undefined;
  const deadline = new Deadline(setting.signal);
  let result: ToolResult;
  try {
    call = await check(parts, request, setting);
    const settled = setting.resumed === true ? await settle(parts, call, setting, deadline) : "not started";
    if (settled !== "happened") await authorize(parts, call, setting, deadline, settled === "started");
    show(parts, call, setting, "running");
    result = settled === "happened" ? happened : await perform(parts, call, setting, deadline);
  } catch (error) {
    result = failure(parts, error, setting, request);
  }
  const duration = Math.round(deadline.elapsed());
  const facts = call ?? {
    tool: named?.entry.tool.name ?? request.name,
    operation: named?.operation ?? "",
    arguments: {},
    effect: "none" as const,
  };
  const display = call?.shown ?? displayOf(facts.operation || facts.tool, {}, named?.entry.tool.icon);
  if (call !== undefined) void parts.hooks.toolCallEnded({ call, context: contextOf(call, setting), result, duration });
  const metadata = {
    duration_ms: duration,
    error_code: result.error_code ?? null,
    resultId: (result["resultId"] as string | undefined) ?? null,
    bytes: (result.content ?? result.data ?? "").length,
  };
  const shownAs = named?.entry.tool.shownAs ?? facts.operation;
  const status = result.success ? "success" : "error";
  setting.run?.emit({ type: "tool", callId: request.id, tool: facts.tool, operation: shownAs, status, display, metadata });
  return {
    callId: request.id,
    tool: facts.tool,
    operation: facts.operation,
    arguments: facts.arguments,
    effect: facts.effect,
    result,
    display,
    duration,
  };
}

const contextOf = (_call: PendingCall, { conversation, run, userInitiated, caller, signal }: CallSetting): CallContext => ({
  conversationId: conversation.id,
  runId: run?.id ?? null,
  userInitiated,
  caller,
  signal,
});

async function check(parts: Parts, request: ToolRequest, setting: CallSetting): Promise<Checked> {
  const found = parts.tools.find(request.name);
  if (found === undefined)
    throw new ToolError("not_found", `There is no tool "${request.name}".`, { hint: `Tools: ${parts.tools.names.join(", ")}.` });
  const { entry } = found;
  const given = parseArguments(request.arguments);
  const spec = parts.tools.operationOf(found, given);
  const { arguments: args, unknown } = checkArguments(spec, given);
  if (!setting.userInitiated && !parts.tools.enabled(entry.tool.name, setting.switches, setting.conversation)) {
    throw new ToolError("tool_disabled", `${entry.tool.name} is switched off.`, {
      hint: "The person can switch it on under tools in the settings, or for one request.",
    });
  }
  const missing = parts.tools.unavailable(entry.tool.name);
  if (missing !== undefined) throw new ToolError("unavailable", `${entry.tool.name} cannot be used here.`, { hint: missing });
  const prepared = await prepareCall(entry, spec, args);
  const { id, version } = entry.plugin;
  const shown = displayOf(spec.name, prepared.display, entry.tool.icon);
  const facts = {
    id: request.id,
    tool: entry.tool.name,
    operation: spec.name,
    arguments: args,
    effect: prepared.effect,
    place: spec.place ?? "paths",
  };
  const places = await pathsOf(parts, spec, args, prepared, setting.workingDirectory);
  return { ...facts, ...places, workingDirectory: setting.workingDirectory, plugin: { id, version }, entry, spec, unknown, shown };
}

/** Every path and address among the arguments, found by the formats of their schemas, and those that the operation names itself. */
async function pathsOf(parts: Parts, spec: Operation, args: JsonObject, prepared: Prepared, workingDirectory: string) {
  const paths: { path: string; effect: Effect }[] = [...prepared.touches];
  const urls: string[] = [];
  const look = (schema: Operation["parameters"][string] | undefined, value: Json | undefined): void => {
    if (schema === undefined || value === undefined) return;
    const address = schema.format === "path-or-uri" && typeof value === "string" && /^[a-z][a-z0-9+.-]*:\/\//i.test(value);
    if (typeof value === "string" && (schema.format === "uri" || address)) urls.push(value);
    else if (typeof value === "string" && (schema.format === "path" || schema.format === "path-or-uri"))
      paths.push({ path: value, effect: prepared.effect });
    else if (Array.isArray(value)) for (const item of value as readonly Json[]) look(schema.items, item);
    else if (typeof value === "object" && value !== null)
      for (const [key, item] of Object.entries(value)) look(schema.properties?.[key], item);
  };
  for (const [name, schema] of Object.entries(spec.parameters)) look(schema, args[name]);
  return { urls, paths: paths.map(({ path, effect }) => ({ ...parts.doors.resolve(path, workingDirectory), effect })) };
}

const happened: ToolResult = { success: true, data: "", message: "It had been done before the service stopped; it was not done again." };

/** What became of a call that the last stop may have cut: its operation's recovery decides, and in doubt it is not run again. */
async function settle(
  parts: Parts,
  call: Checked,
  setting: CallSetting,
  deadline: Deadline,
): Promise<"not started" | "started" | "happened"> {
  if ((await parts.stores.calls.get(call.id)) === undefined) return "not started";
  const { spec, entry, id: callId, paths } = call;
  if (spec.recovery === "repeat") return "started";
  const context = toolContext(parts, setting, {
    callId,
    entry,
    paths,
    signal: deadline.signal,
    ask: (question) => askPerson(parts, call, question, setting),
    progress: () => undefined,
  });
  const told = spec.recovery === "reconcile" ? await spec.reconcile?.(call.arguments as never, context) : "unknown";
  if (told === "happened") return "happened";
  if (told === "did_not_happen") return "started";
  throw new ToolError("outcome_unknown", "The service stopped during this call; its outcome is unknown.", {
    hint: "Check whether it happened before you repeat it, and tell the person.",
  });
}

async function authorize(parts: Parts, call: Checked, setting: CallSetting, deadline: Deadline, again: boolean): Promise<void> {
  const verdict = (await parts.hooks.authorizeToolCall(call, contextOf(call, setting))) ?? {
    decision: "ask" as const,
    reason: "no policy is installed",
  };
  if (verdict.decision === "deny") throw new ToolError(verdict.code, verdict.message);
  const granted = verdict.decision === "ask" ? await parts.grants.use(call, setting.conversation.id) : undefined;
  if (verdict.decision === "ask" && granted === undefined) await approve(parts, call, verdict.reason, setting, deadline);
  if (!harmless.has(call.effect) && !again) await journal(parts, call, setting, granted === undefined ? [] : [granted]);
}

async function approve(parts: Parts, call: Checked, reason: string, setting: CallSetting, deadline: Deadline): Promise<void> {
  const { run, conversation, signal, denials } = setting;
  const { tool, operation, effect, workingDirectory, plugin } = call;
  const bound = {
    tool,
    operation,
    arguments: call.arguments,
    workingDirectory,
    plugin: plugin.version,
    paths: call.paths.map(({ real }) => real),
  };
  const digest = createHash("sha256").update(canonicalJson(bound)).digest("hex");
  const paths = call.paths.map(({ real }) => real);
  const prompt = `${tool}.${operation}: ${call.shown.summary}`;
  show(parts, call, setting, "userInputRequired");
  const draft = {
    toolCallId: call.id,
    kind: "approval" as const,
    tool,
    operation,
    arguments: parts.redactJson(call.arguments),
    paths,
    effect,
    reason,
    prompt,
    digest,
  };
  const closed = await deadline.pause(
    parts.approvals.ask(draft, { run, conversationId: conversation.id, signal, asked: (id) => setting.asked(id) }),
  );
  if (closed.status === "answered" && closed.decision === "approved") return;
  const name = `${tool}.${operation}`;
  denials.set(name, (denials.get(name) ?? 0) + 1);
  throw refusal(closed, (denials.get(name) ?? 1) - 1);
}

/** A call with an effect is durable as `started` before it runs; a call that was started before never starts again. */
async function journal(parts: Parts, call: Checked, { run, conversation }: CallSetting, grants: readonly Write[]): Promise<void> {
  await run?.admit();
  const { id, tool, operation } = call;
  const startedAt = new Date(parts.clock.now()).toISOString();
  const put = {
    id,
    runId: run?.id ?? null,
    conversationId: conversation.id,
    tool,
    operation,
    arguments: canonicalJson(call.arguments),
    state: "started",
    startedAt,
  };
  await parts.stores.commit([{ collection: "calls", put, ifVersion: 0 }, ...grants]);
}

async function perform(parts: Parts, call: Checked, setting: CallSetting, deadline: Deadline): Promise<ToolResult> {
  const { entry, spec, id: callId } = call;
  const ask = (question: Question): Promise<Answer> => deadline.pause(askPerson(parts, call, question, setting));
  const progress = (line: string): void => show(parts, call, setting, "running", [line]);
  const seconds = spec.timeoutSeconds ?? parts.preferences.get<number>("tools.timeout_seconds");
  const context = toolContext(parts, setting, { callId, entry, paths: call.paths, signal: deadline.signal, ask, progress });
  const done = await deadline.limit(spec.run(call.arguments as never, context), seconds);
  const raw = resultOf(done, call.unknown);
  const shaped = await parts.hooks.shapeToolResult(
    parts.redactJson(raw as JsonObject) as unknown as ToolResult,
    call,
    contextOf(call, setting),
  );
  if (spec.keepWhole === true) return shaped;
  return parts.results.keep(shaped, { callId, tool: call.tool, operation: call.operation, conversationId: setting.conversation.id });
}

function resultOf({ data, message = "", content, fields = {} }: OperationResult, unknown: readonly string[]): ToolResult {
  const ignored = unknown.length === 0 ? "" : ` Unknown arguments were ignored: ${unknown.join(", ")}.`;
  return {
    success: true,
    data: text(data),
    message: `${message}${ignored}`.trim(),
    ...(content === undefined ? {} : { content }),
    ...fields,
  };
}

async function askPerson(parts: Parts, call: Checked, question: Question, setting: CallSetting): Promise<Answer> {
  const { run, conversation, signal } = setting;
  const { prompt, context, options = [], authorizeOperation } = question;
  const kind = authorizeOperation === undefined ? ("question" as const) : ("approval" as const);
  const target = authorizeOperation === undefined ? undefined : parts.tools.canonical(authorizeOperation);
  if (authorizeOperation !== undefined && target === undefined)
    throw new ToolError("invalid_value", `There is no operation "${authorizeOperation}".`, { hint: "Name it as family.operation." });
  const paths = (question.paths ?? []).map((path) => parts.doors.resolve(path, call.workingDirectory).real);
  const { tool, operation, workingDirectory, plugin } = call;
  const bound = { tool, operation, workingDirectory, plugin: plugin.version, prompt, options: [...options], paths };
  const digest = createHash("sha256").update(canonicalJson(bound)).digest("hex");
  show(parts, call, setting, "userInputRequired");
  const draft = {
    toolCallId: call.id,
    kind,
    tool,
    operation,
    arguments: parts.redactJson(call.arguments),
    paths,
    effect: target?.effect ?? call.effect,
    reason: "",
    prompt,
    digest,
  };
  const more = { context: context ?? null, options, authorizeOperation: target?.name ?? null };
  const closed = await parts.approvals.ask(
    { ...draft, ...more },
    { run, conversationId: conversation.id, signal, asked: (id) => setting.asked(id) },
  );
  if (closed.status !== "answered") throw refusal(closed, 0);
  show(parts, call, setting, "running");
  const grant = await parts.approvals.grantOf(closed.id, conversation.id);
  return { decision: closed.decision ?? "denied", text: closed.answer ?? "", ...(grant === undefined ? {} : { grantId: grant.id }) };
}

function show(parts: Parts, call: Checked, { run }: CallSetting, status: ToolStatus, details?: readonly string[]): void {
  const operation = call.entry.tool.shownAs ?? call.operation;
  run?.emit({
    type: "tool",
    callId: call.id,
    tool: call.tool,
    operation,
    status,
    display: parts.redactJson({ ...call.shown }) as unknown as ToolDisplay,
    ...(details === undefined ? {} : { details }),
  });
}

function displayOf(operation: string, own: Partial<ToolDisplay>, icon = "wrench"): ToolDisplay {
  return { action: operation, actionDisplayName: title(operation), summary: title(operation), details: [], icon, ...own };
}

function failure(parts: Parts, error: unknown, { signal }: CallSetting, { id, name }: ToolRequest): ToolResult {
  if (signal.aborted) return { success: false, error: "The call was cancelled.", message: "", error_code: "cancelled" };
  if (ToolError.is(error))
    return {
      success: false,
      error: parts.redact(error.message),
      message: parts.redact(error.hint),
      error_code: error.code,
      ...error.fields,
    };
  if (AppError.is(error))
    return {
      success: false,
      error: parts.redact(error.message),
      message: "",
      error_code: error.code === "conflict" ? "outcome_unknown" : error.code,
    };
  parts.log.error({ error, call: id, tool: name }, "a tool failed unexpectedly");
  const said = error instanceof Error ? parts.redact(error.message) : "unknown fault";
  return {
    success: false,
    error: `${name} failed: ${said}`,
    message: "Try another way; the service's log has the details.",
    error_code: "generic_error",
  };
}
