import { AppError, estimateTokens, type ChatMessage, type JsonObject, type RunContext } from "@pergola/sdk";
import type { ActiveRun, Parts, RunStart } from "@pergola/sdk/host";
import { askModel, type Reply } from "./ask-model.ts";
import { endRun } from "./end-run.ts";
import { takeCarried, type Ending, type Flow } from "./flow.ts";
import { answerCalls, useTools } from "./use-tools.ts";

/**
 * Model, tools, model, tools, until the model has nothing more to ask for. Never rejects: every failure is an
 * ending.
 */
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
  const offered = [
    ...builtin,
    ...request.callerTools.filter(({ name }) => !builtin.some((tool) => tool.name === name)),
  ];
  const sampling = { ...settingsSampling(context.conversation.settings as JsonObject), ...request.sampling };
  const chat = await parts.hooks.shapeChat({ system: [], tools: offered, sampling }, context);
  const own = request.messages.filter(({ role }) => role === "system");
  const system: readonly ChatMessage[] = [
    ...chat.system.map((content): ChatMessage => ({ role: "system", content })),
    ...own,
  ];
  const gathered = {
    iterations: [],
    executions: [],
    streamed: start.said,
    reasoning: "",
    last: undefined,
    estimated: false,
  };
  const nudging = { aside: [], wasEmpty: false, nudges: 0, carried: "", added: 0 };
  return {
    ...start,
    ...gathered,
    ...nudging,
    parts,
    run,
    context: { ...context, request: { ...request, sampling: chat.sampling } },
    tools: chat.tools,
    system,
    session: parts.tools.session(run, start),
    begun: parts.clock.now(),
  };
}

const settingsSampling = ({ temperature, topP, maxTokens, repetitionPenalty }: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries({ temperature, topP, maxTokens, repetitionPenalty }).filter(
      ([, value]) => value !== undefined,
    ),
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
      if (!(await nudge(flow, reply)))
        return { reason: "workflow_complete", finishReason: reply.finishReason };
      continue;
    }
    if (run.record.iterations >= run.record.maxIterations)
      return { reason: "max_iterations_reached", finishReason: "length" };
    const ending = await useTools(flow, reply);
    if (ending !== undefined) return ending;
  }
}

/** A sub-agent also keeps to what is left to the runs above it. */
function overLimit({ parts, run }: Pick<Flow, "parts" | "run">): AppError | undefined {
  const seconds = parts.preferences.get<number>("runs.max_seconds");
  const most = parts.preferences.get<number>("runs.max_cost_usd");
  if (seconds > 0 && run.workedSeconds > seconds)
    return new AppError({
      code: "internal_error",
      message: `The run took longer than runs.max_seconds, ${seconds}.`,
    });
  if (most > 0 && run.record.cost >= most)
    return new AppError({
      code: "internal_error",
      message: `The run has cost ${run.record.cost.toFixed(4)} USD; runs.max_cost_usd is ${most}.`,
    });
  return run.parent === undefined ? undefined : overLimit({ parts, run: run.parent });
}

async function ask(flow: Flow): Promise<Reply> {
  const { parts, run, context, tools, system } = flow;
  const reserved = estimateTokens({ messages: [...system, ...flow.aside], tools }) + flow.added;
  const thread = await parts.conversations.thread(run.conversationId, {
    contextWindow: run.model.contextWindow,
    reserved,
  });
  const { sampling, thinking, statefulMarker } = context.request;
  const call = {
    messages: [...system, ...thread, ...flow.aside],
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
  flow.added = reply.added;
  flow.iterations.push({
    iteration: run.record.iterations,
    text: reply.text,
    toolsRequested: reply.calls.map(({ name }) => name),
    timestamp: parts.timestamp(),
  });
  if (reply.title !== undefined && reply.error === undefined)
    await parts.conversations.entitle(run, reply.title);
  return reply;
}

/**
 * An answer that should not be the last is asked again, and kept for the next message; what is said to it is
 * not stored.
 */
async function nudge(flow: Flow, reply: Reply): Promise<boolean> {
  const { iterations, maxIterations } = flow.run.record;
  const said = reply.stopped || iterations >= maxIterations ? undefined : await objectionTo(flow, reply.text);
  if (said === undefined) return false;
  const answer: readonly ChatMessage[] =
    reply.text.trim() === "" ? [] : [{ role: "assistant", content: reply.text }];
  const before = flow.aside;
  flow.carried = takeCarried(flow, reply.text);
  flow.aside = [...before, ...answer, { role: "user", content: said }];
  return true;
}

/** Nothing said, once; or up to three times to-dos of this run that are open. */
async function objectionTo(flow: Flow, text: string): Promise<string | undefined> {
  const { parts, run } = flow;
  if (text.trim() === "" && !flow.wasEmpty) {
    flow.wasEmpty = true;
    return "Your last answer was empty. Answer now, or call a tool.";
  }
  if (text.trim() === "" || flow.nudges >= 3) return undefined;
  const reminder = await parts.todos?.reminder(
    run.conversationId,
    run.request.kind === "autonomous" ? undefined : run.id,
  );
  if (reminder !== undefined) flow.nudges += 1;
  return reminder;
}
