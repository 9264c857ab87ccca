import {
  defined,
  type AppError,
  type ChatMessage,
  type OfferedTool,
  type RunContext,
  type Thinking,
} from "@pergola/sdk";
import { pick, type ActiveRun, type Parts, type RunStart } from "@pergola/sdk/host";
import { fault } from "../fault.ts";
import { askModel, type Reply } from "./ask-model.ts";
import { costLimits } from "./cost-limits.ts";
import { endRun } from "./end-run.ts";
import { newProgress, type Ending, type Flow, type Progress } from "./flow.ts";
import { splitSystem, withLateSystem } from "./late-system.ts";
import { modelStep } from "./model-step.ts";
import { nudge } from "./nudge.ts";
import { outlineOf, tokensBeside } from "./outline-call.ts";
import { endFailed, settleOutput } from "./settle-output.ts";
import { offerOf, warnOfNoCall } from "./tool-choice.ts";
import { answerCalls, useTools } from "./use-tools.ts";
import { timeOver, watchTime } from "./watch-time.ts";

/**
 * Model, tools, model, tools, until the model has nothing more to ask for. Never rejects: every failure is an
 * ending.
 */
export async function runWorkflow(parts: Parts, run: ActiveRun, start: RunStart): Promise<void> {
  let flow: Pick<Flow, "parts" | "run"> & Progress = {
    ...newProgress(parts.clock.now(), ""),
    estimated: true,
    parts,
    run,
  };
  let ending: Ending;
  const stopWatching = watchTime(parts, run);
  try {
    const opened = await open(parts, run, start);
    flow = opened;
    ending = await loop(opened);
  } catch (error) {
    ending = { reason: "error", error: parts.errorOf(error, { run: run.id }) };
  }
  stopWatching();
  await endRun(flow, ending);
}

async function open(parts: Parts, run: ActiveRun, start: RunStart): Promise<Flow> {
  const { request } = run;
  const told: Flow["told"] = new Map();
  const context = contextOf(parts, run, start, told);
  const output = await parts.output?.open(request.sampling.responseFormat, run.signal);
  const offered = await offeredTools(parts, run, context);
  const sampling = {
    ...defined(pick(context.conversation.settings, "temperature", "topP", "maxTokens", "repetitionPenalty")),
    ...request.sampling,
  };
  const chat = await parts.hooks.shapeChat(
    { system: [], tools: offered, sampling },
    context,
    run.steps.watch("shape"),
  );
  const { leading, late } = splitSystem(request.messages);
  const system: readonly ChatMessage[] = [
    ...chat.system.map((content): ChatMessage => ({ role: "system", content })),
    ...leading,
  ];
  return {
    ...start,
    ...newProgress(parts.clock.now(), start.answeredText),
    parts,
    run,
    context: {
      ...context,
      request: { ...request, sampling: chat.sampling, ...defined({ thinking: thinkingOf(context) }) },
    },
    tools: chat.tools,
    output,
    system,
    late,
    told,
    session: parts.tools.session(run, start),
  };
}

/** What the request asks for, else the conversation's settings; undefined leaves it to the model. */
function thinkingOf({ request, conversation }: RunContext): Thinking | undefined {
  const { enableReasoning, thinkingEffort: effort } = conversation.settings;
  if (request.thinking !== undefined) return request.thinking;
  if (enableReasoning === false) return { mode: "disabled" };
  if (enableReasoning === undefined && effort === undefined) return undefined;
  return { mode: "enabled", ...defined({ effort }) };
}

/** The built-in tools that the request gets, then the caller's, which keep their names. */
async function offeredTools(
  parts: Parts,
  { request, warnings, model }: ActiveRun,
  { conversation, isNew }: RunContext,
): Promise<readonly OfferedTool[]> {
  const { builtinTools: chosen, callerTools, toolSwitches: switches } = request;
  const { contextWindow } = model;
  const { caller } = request;
  const wanted = defined({ choice: chosen, switches, conversation, contextWindow, caller, isNew });
  const builtin = await parts.tools.listOffered(wanted);
  if (Array.isArray(chosen))
    for (const warning of missingTools(chosen as readonly string[], builtin)) warnings.push(warning);
  const taken = new Set(callerTools.map(({ name }) => name));
  return [...builtin.filter(({ name }) => !taken.has(name)), ...callerTools];
}

const missingTools = (chosen: readonly string[], offered: readonly OfferedTool[]): readonly string[] =>
  chosen
    .filter((name) => !offered.some((tool) => tool.name === name))
    .map((name) => `the tool ${name} was left out: it is switched off or cannot be used here`);

function contextOf(parts: Parts, run: ActiveRun, start: RunStart, told: Flow["told"]): RunContext {
  const { scope, workingDirectory, isNew } = start;
  const { id: runId, request, model, signal } = run;
  const { iterations: iteration, maxIterations } = run.record;
  const conversation = parts.conversations.active(run.conversationId);
  return {
    ...defined({ isNew, trace: parts.telemetry?.traceWithinRun(run.record) }),
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
    useMemory: (memory) => {
      if (!run.memories.has(memory.id)) run.memories.set(memory.id, memory);
    },
    usePart: (part) => void told.set(part.kind, part),
  };
}

async function loop(flow: Flow): Promise<Ending> {
  const { run } = flow;
  if (flow.open.length > 0) {
    const ending = await answerCalls(flow, flow.open, { resumed: true });
    if (ending !== undefined) return ending;
  }
  for (;;) {
    const spent = overLimit(flow.parts, run);
    if (spent !== undefined) return { reason: "error", error: spent };
    run.updateRecord({ iterations: run.record.iterations + 1 });
    const reply = await ask(flow);
    if (reply.error !== undefined) {
      if (run.isInterrupted) run.updateRecord({ iterations: run.record.iterations - 1 });
      return endFailed(flow, reply.error);
    }
    const ending = await goOn(flow, reply);
    if (ending !== undefined) return ending;
  }
}

/** What comes of an answer: an ending, or undefined for another iteration. */
async function goOn(flow: Flow, reply: Reply): Promise<Ending | undefined> {
  const { iterations, maxIterations } = flow.run.record;
  if (reply.calls.length === 0 || reply.stopped || flow.isRepair) {
    if (await nudge(flow, reply)) return undefined;
    warnOfNoCall(flow);
    return settleOutput(flow, reply);
  }
  if (iterations >= maxIterations) return { reason: "max_iterations_reached", finishReason: "length" };
  return useTools(flow, reply);
}

const overLimit = (parts: Parts, run: ActiveRun): AppError | undefined =>
  timeOver(parts, run) ?? overCost(parts, run);

/** A sub-agent also keeps to what is left to the runs above it. */
function overCost({ preferences }: Pick<Parts, "preferences">, run: ActiveRun): AppError | undefined {
  const { cost } = run.record;
  const over = costLimits({ preferences }, run).find(({ most }) => cost >= most);
  if (over !== undefined)
    return fault("internal_error", `The run has cost ${cost.toFixed(4)} USD; ${over.name} is ${over.most}.`);
  return run.parent && overCost({ preferences }, run.parent);
}

async function ask(flow: Flow): Promise<Reply> {
  const { parts, run, context, system, late } = flow;
  const { contextWindow } = run.model;
  const beside = tokensBeside(flow);
  const reserved = beside.system + beside.aside + beside.tools + flow.added;
  const window = await parts.conversations.fitWindow(run.conversationId, { contextWindow, reserved });
  const seen = parts.conversations.outlineWindow(run.conversationId, contextWindow);
  const model = run.model.modelId;
  const { iterations: iteration, maxIterations } = run.record;
  const { thinking, statefulMarker } = context.request;
  const call = defined({
    messages: [...system, ...withLateSystem(window, late), ...flow.aside],
    ...offerOf(flow),
    thinking,
    formatInWords: flow.isRepair ? undefined : flow.output?.words,
    statefulMarker,
    initiator: iteration === 1 ? ("user" as const) : ("agent" as const),
  });
  const conversation = parts.conversations.active(run.conversationId);
  const now = { ...context, iteration, maxIterations, conversation };
  const reply = await askModel(flow, call, now);
  run.addUsage(reply.usage, reply.estimated);
  const outline = { model, ...outlineOf(flow, { seen, beside, ...pick(reply, "added", "asked") }) };
  run.updateRecord({ outline });
  run.steps.add(modelStep(flow, reply, outline));
  gather(flow, reply);
  if (reply.title !== undefined && reply.error === undefined)
    await parts.conversations.setTitleFromMarker(run, reply.title);
  return reply;
}

function gather(flow: Flow, reply: Reply): void {
  flow.answered = [flow.answered, reply.text].filter((text) => text !== "").join("\n\n");
  flow.reasoning += reply.reasoning;
  flow.estimated ||= reply.estimated;
  flow.last = reply;
  flow.added = reply.added;
  flow.iterations.push({
    iteration: flow.run.record.iterations,
    text: reply.text,
    toolsRequested: reply.calls.map(({ name }) => name),
    timestamp: flow.parts.timestamp(),
  });
}
