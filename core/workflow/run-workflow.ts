import {
  AppError,
  newId,
  type ChatMessage,
  type Json,
  type JsonObject,
  type RunContext,
  type ToolCall,
  type ToolExecution,
  type Write,
} from "@pergola/sdk";
import type { Parts } from "../parts.ts";
import { askModel, type Reply } from "./ask-model.ts";
import type { CallEnd, CallSetting } from "./call-tool.ts";
import { parseArguments } from "./check-arguments.ts";
import { endRun, setTitle } from "./end-run.ts";
import type { Ending, Flow, RunStart } from "./flow.ts";
import { Guards } from "./guards.ts";
import type { ActiveRun } from "./live-run.ts";
import { runTools } from "./run-tools.ts";
import { titleOf } from "./title.ts";

/** Model, tools, model, tools, until the model has nothing more to ask for. Never rejects: every failure is an ending. */
export async function runWorkflow(parts: Parts, run: ActiveRun, start: RunStart): Promise<void> {
  let flow: Flow | undefined;
  let ending: Ending;
  try {
    flow = await open(parts, run, start);
    ending = await loop(flow);
  } catch (error) {
    ending = { reason: "error", error: parts.errorOf(error, { run: run.id }) };
  }
  await endRun(parts, run, flow, ending);
}

async function open(parts: Parts, run: ActiveRun, start: RunStart): Promise<Flow> {
  const { request } = run;
  const context = contextOf(parts, run, start);
  const builtin = parts.tools.offered(request.builtinTools, request.toolSwitches, context.conversation);
  const offered = [...builtin, ...request.callerTools.filter(({ name }) => !builtin.some((tool) => tool.name === name))];
  const sampling = {
    temperature: 0.7,
    maxTokens: 2000,
    topP: 1,
    ...settingsSampling(context.conversation.settings as JsonObject),
    ...request.sampling,
  };
  const chat = await parts.hooks.shapeChat({ system: [], tools: offered, sampling }, context);
  const own = request.messages.filter(({ role }) => role === "system");
  const system: readonly ChatMessage[] = [...chat.system.map((content): ChatMessage => ({ role: "system", content })), ...own];
  const gathered = {
    messages: [...start.history],
    iterations: [],
    executions: [],
    streamed: "",
    reasoning: "",
    last: undefined,
    estimated: false,
    nudged: false,
  };
  const request2 = { ...context, request: { ...request, sampling: chat.sampling } };
  return {
    ...start,
    ...gathered,
    parts,
    run,
    context: request2,
    tools: chat.tools,
    system,
    guards: new Guards(),
    denials: new Map(),
    begun: parts.clock.now(),
  };
}

const settingsSampling = ({ temperature, topP, maxTokens, repetitionPenalty }: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries({ temperature, topP, maxTokens, repetitionPenalty }).filter(([, value]) => value !== undefined),
  ) as JsonObject;

function contextOf(parts: Parts, run: ActiveRun, { scope, workingDirectory }: RunStart): RunContext {
  const { id: runId, request, model, signal } = run;
  const { iterations: iteration, maxIterations } = run.record;
  const conversation = parts.conversations.held(run.conversationId);
  return {
    runId,
    request,
    conversation,
    scope,
    workingDirectory,
    model,
    iteration,
    maxIterations,
    signal,
    warn: (text) => void run.warnings.push(text),
  };
}

async function loop(flow: Flow): Promise<Ending> {
  const { run } = flow;
  if (flow.open.length > 0) await answerCalls(flow, flow.open, flow.open);
  for (;;) {
    const spent = overLimit(flow);
    if (spent !== undefined) return { reason: "error", error: spent };
    run.note({ iterations: run.record.iterations + 1 });
    const reply = await ask(flow);
    if (reply.error !== undefined) return { reason: "error", error: reply.error };
    if (reply.calls.length === 0 || reply.stopped) {
      if (!wantsNudge(flow, reply)) return { reason: "workflow_complete", finishReason: reply.finishReason };
      continue;
    }
    if (run.record.iterations >= run.record.maxIterations) return { reason: "max_iterations_reached", finishReason: "length" };
    const ending = await useTools(flow, reply);
    if (ending !== undefined) return ending;
  }
}

function overLimit({ parts, run, begun }: Flow): AppError | undefined {
  const seconds = parts.preferences.get<number>("runs.max_seconds");
  const most = parts.preferences.get<number>("runs.max_cost_usd");
  const { usage } = run.record;
  const prices = run.model.prices;
  const cost = prices === undefined ? 0 : (usage.promptTokens * prices.prompt + usage.completionTokens * prices.completion) / 1000;
  if (seconds > 0 && parts.clock.now() - begun > seconds * 1000)
    return new AppError({ code: "internal_error", message: `The run took longer than runs.max_seconds, ${seconds}.` });
  if (most > 0 && cost >= most)
    return new AppError({ code: "internal_error", message: `The run has cost ${cost.toFixed(4)} USD; runs.max_cost_usd is ${most}.` });
  return undefined;
}

async function ask(flow: Flow): Promise<Reply> {
  const { parts, run, context, messages, tools, system } = flow;
  const { sampling, thinking, statefulMarker } = context.request;
  const call = {
    messages: [...system, ...messages],
    tools,
    sampling,
    ...(thinking === undefined ? {} : { thinking }),
    ...(statefulMarker === undefined ? {} : { statefulMarker }),
    initiator: run.record.iterations === 1 ? ("user" as const) : ("agent" as const),
  };
  const now = {
    ...context,
    iteration: run.record.iterations,
    maxIterations: run.record.maxIterations,
    conversation: parts.conversations.held(run.conversationId),
  };
  const reply = await askModel(parts, run, call, now, flow.streamed !== "");
  const { promptTokens, completionTokens } = reply.usage;
  const before = run.record.usage;
  run.note({ usage: { promptTokens: before.promptTokens + promptTokens, completionTokens: before.completionTokens + completionTokens } });
  flow.streamed += reply.text === "" ? "" : (flow.streamed === "" ? "" : "\n\n") + reply.text;
  flow.reasoning += reply.reasoning;
  flow.estimated ||= reply.estimated;
  flow.last = reply;
  flow.iterations.push({
    iteration: run.record.iterations,
    text: reply.text,
    toolsRequested: reply.calls.map(({ name }) => name),
    timestamp: parts.timestamp(),
  });
  const title = reply.title === undefined ? undefined : titleOf(reply.title);
  if (title !== undefined && now.conversation.title.startsWith("New Conversation") && now.conversation.titleSetBy !== "user")
    await setTitle(flow, title, "model");
  return reply;
}

/** An empty answer is asked again, once; the nudge is not stored. */
function wantsNudge(flow: Flow, reply: Reply): boolean {
  if (reply.text.trim() !== "" || reply.stopped || flow.nudged || flow.run.record.iterations >= flow.run.record.maxIterations) return false;
  flow.nudged = true;
  flow.messages.push({ role: "user", content: "Your last answer was empty. Answer now, or call a tool." });
  return true;
}

async function useTools(flow: Flow, reply: Reply): Promise<Ending | undefined> {
  const { parts, run } = flow;
  const callers = new Set(run.request.callerTools.map(({ name }) => name));
  const isCallers = (call: ToolCall): boolean => callers.has(call.name) && parts.tools.find(call.name) === undefined;
  const calls = await withIds(flow, reply.calls);
  const forCaller = calls.filter(isCallers);
  const visible = forCaller.length > 0;
  const own = calls.filter((call) => !isCallers(call));
  const sent = reply.calls.map((call, index) => ({
    ...call,
    id: calls[index]?.providerId ?? call.id,
    arguments: wellFormed(call.arguments),
  }));
  const toolCalls = calls.map((call) => ({ ...call, arguments: wellFormed(call.arguments) }));
  const reasoning = reply.reasoning === "" ? {} : { reasoningContent: reply.reasoning };
  const asked = {
    role: "assistant",
    type: "assistant",
    content: reply.text,
    runId: run.id,
    visible,
    toolCalls,
    streamedText: flow.streamed,
    ...reasoning,
  } as const;
  run.store({}, parts.conversations.append(run.conversationId, [asked]));
  flow.messages.push({ role: "assistant", content: reply.text === "" ? null : reply.text, toolCalls: sent });
  await answerCalls(flow, own, calls);
  if (run.signal.aborted) return { reason: "cancelled" };
  for (const [index, call] of forCaller.entries()) run.emit({ type: "caller_call", index, call });
  if (visible) return { reason: "workflow_complete", finishReason: "tool_calls", callerCalls: forCaller };
  return flow.guards.exhausted ? { reason: "tool_execution_failed" } : undefined;
}

/** Cut-off arguments are never sent again: a provider would refuse the whole history. */
function wellFormed(text: string): string {
  try {
    return JSON.stringify(parseArguments(text));
  } catch {
    return "{}";
  }
}

type NamedCall = ToolCall & { readonly providerId?: string };

/** A provider's id is kept if it is well formed and new; the provider goes on seeing its own. */
async function withIds({ parts }: Flow, calls: readonly ToolCall[]): Promise<readonly NamedCall[]> {
  const wanted = calls.map(({ id }) => id).filter((id) => /^[A-Za-z0-9_-]{1,64}$/.test(id));
  const taken = new Set(await parts.conversations.takenCallIds(wanted));
  return calls.map((call) => {
    const keep = wanted.includes(call.id) && !taken.has(call.id);
    if (keep) taken.add(call.id);
    return keep ? call : { ...call, id: newId.toolCall(), providerId: call.id === "" ? newId.toolCall() : call.id };
  });
}

async function answerCalls(flow: Flow, own: readonly NamedCall[], all: readonly NamedCall[]): Promise<void> {
  const { parts, run, scope, workingDirectory, denials, guards } = flow;
  const conversation = parts.conversations.held(run.conversationId);
  const scene = {
    conversation,
    scope,
    workingDirectory,
    run,
    contextWindow: run.model.contextWindow,
    signal: run.signal,
    caller: run.request.caller,
  };
  const setting: CallSetting = {
    ...scene,
    userInitiated: false,
    switches: run.request.toolSwitches,
    denials,
    resumed: all === flow.open,
    asked: () => waiting(run),
  };
  const ends = await runTools(parts, own, setting, guards);
  if (run.interrupted) throw run.signal.reason;
  const answers = ends.map((end, index) => toolMessage(parts, run, end, own[index] as NamedCall));
  const used = ends.filter(({ result }) => result.error_code !== "cancelled").map(({ tool }) => tool);
  run.store(
    {
      status: "running",
      toolCallCount: run.record.toolCallCount + ends.length,
      toolsUsed: [...new Set([...run.record.toolsUsed, ...used])],
      hadErrors: run.record.hadErrors || ends.some(({ result }) => !result.success),
      pendingToolCallIds: [],
    },
    [
      ...parts.conversations.append(
        run.conversationId,
        answers.map(({ stored }) => stored),
      ),
      ...ends.filter(({ effect }) => effect !== "none" && effect !== "read").map(finished),
    ],
  );
  flow.messages.push(...answers.map(({ sent }) => sent));
  for (const end of ends) flow.executions.push(executionOf(parts, end, run.record.iterations));
}

const finished = ({ callId }: CallEnd): Write => ({ collection: "calls", delete: callId });

function waiting(run: ActiveRun): void {
  run.store({ status: "waiting", pendingToolCallIds: [...run.pending] });
}

function toolMessage(parts: Parts, run: ActiveRun, end: CallEnd, call: NamedCall) {
  const { callId, tool, operation, result, display, duration } = end;
  const content = JSON.stringify(result);
  const status = result.success ? "success" : "error";
  const facts = {
    toolCallId: callId,
    toolName: tool,
    toolOperation: operation,
    toolStatus: status,
    toolDuration: duration,
    toolDisplayData: display as unknown as JsonObject,
  };
  const metadata = {
    duration_ms: duration,
    error_code: result.error_code ?? null,
    resultId: (result["resultId"] as Json | undefined) ?? null,
  };
  const stored = {
    role: "tool",
    type: "toolExecution",
    content,
    runId: run.id,
    visible: false,
    timestamp: parts.timestamp(),
    ...facts,
    toolMetadata: metadata,
  } as const;
  return { stored, sent: { role: "tool", content, toolCallId: call.providerId ?? callId, name: call.name } as ChatMessage };
}

function executionOf(
  parts: Parts,
  { callId, tool, operation, arguments: args, result, duration }: CallEnd,
  iteration: number,
): ToolExecution {
  const text = result.success ? (result.content ?? result.data ?? "") : (result.error ?? "");
  return {
    callId,
    tool,
    operation,
    arguments: args,
    success: result.success,
    result: text,
    iteration,
    timestamp: parts.timestamp(),
    duration,
  };
}
