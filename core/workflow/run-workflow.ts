import { AppError, type ActiveRun, type ChatMessage, type JsonObject, type Parts, type RunContext, type RunStart } from "@pergola/sdk";
import { askModel, type Reply } from "./ask-model.ts";
import { endRun } from "./end-run.ts";
import type { Ending, Flow } from "./flow.ts";
import { answerCalls, useTools } from "./use-tools.ts";

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
  const sampling = { ...settingsSampling(context.conversation.settings as JsonObject), ...request.sampling };
  const chat = await parts.hooks.shapeChat({ system: [], tools: offered, sampling }, context);
  const own = request.messages.filter(({ role }) => role === "system");
  const system: readonly ChatMessage[] = [...chat.system.map((content): ChatMessage => ({ role: "system", content })), ...own];
  const gathered = {
    messages: [...start.history],
    iterations: [],
    executions: [],
    streamed: start.said,
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
    session: parts.tools.session(run, start),
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
  const before = flow.open.length > 0 ? await answerCalls(flow, flow.open, true) : undefined;
  if (before !== undefined) return before;
  for (;;) {
    const spent = overLimit(flow);
    if (spent !== undefined) return { reason: "error", error: spent };
    run.note({ iterations: run.record.iterations + 1 });
    const reply = await ask(flow);
    if (reply.error !== undefined) {
      if (run.interrupted) run.note({ iterations: run.record.iterations - 1 });
      return { reason: "error", error: reply.error };
    }
    if (reply.calls.length === 0 || reply.stopped) {
      if (!wantsNudge(flow, reply)) return { reason: "workflow_complete", finishReason: reply.finishReason };
      continue;
    }
    if (run.record.iterations >= run.record.maxIterations) return { reason: "max_iterations_reached", finishReason: "length" };
    const ending = await useTools(flow, reply);
    if (ending !== undefined) return ending;
  }
}

/** A sub-agent also keeps to what is left to the runs above it. */
function overLimit({ parts, run }: Pick<Flow, "parts" | "run">): AppError | undefined {
  const seconds = parts.preferences.get<number>("runs.max_seconds");
  const most = parts.preferences.get<number>("runs.max_cost_usd");
  const { cost } = run.record;
  if (seconds > 0 && run.workedSeconds > seconds)
    return new AppError({ code: "internal_error", message: `The run took longer than runs.max_seconds, ${seconds}.` });
  if (most > 0 && cost >= most)
    return new AppError({ code: "internal_error", message: `The run has cost ${cost.toFixed(4)} USD; runs.max_cost_usd is ${most}.` });
  return run.parent === undefined ? undefined : overLimit({ parts, run: run.parent });
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
  run.spend(reply.usage);
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
  if (reply.title !== undefined && reply.error === undefined) await parts.conversations.entitle(run, reply.title);
  return reply;
}

/** An empty answer is asked again, once; the nudge is not stored. */
function wantsNudge(flow: Flow, reply: Reply): boolean {
  if (reply.text.trim() !== "" || reply.stopped || flow.nudged || flow.run.record.iterations >= flow.run.record.maxIterations) return false;
  flow.nudged = true;
  flow.messages.push({ role: "user", content: "Your last answer was empty. Answer now, or call a tool." });
  return true;
}
