import { type Clock, defined, isObject, type ModelCall, type OfferedTool } from "@pergola/sdk";
import type { VectorCache } from "../embedder/vector-cache.ts";
import type { Outcome } from "../results/outcome.ts";
import { reportOf } from "../results/report.ts";
import { planInConversation } from "./conversation.ts";
import { type Means, mostCalls, type Plan, type PlannedCall } from "./plan.ts";
import type { Reply } from "./reply.ts";
import { readTurn, type Turn } from "./turn.ts";
import { wallClock } from "./wall-clock.ts";

/** The tools that a caller's `tool_choice` leaves: none, one, or all. */
function allowedTools({ tools, sampling: { toolChoice } }: ModelCall): readonly OfferedTool[] {
  if (toolChoice === "none") return [];
  if (!isObject(toolChoice) || !isObject(toolChoice.function)) return tools;
  const chosen = toolChoice.function.name;
  return tools.filter(({ name }) => name === chosen);
}

const argumentsOf = ({ route, arguments: args }: PlannedCall): Readonly<Record<string, unknown>> =>
  defined({ operation: route.operation, ...args });

const isSame = (call: PlannedCall, { name, arguments: args }: Outcome): boolean =>
  name === call.route.tool && JSON.stringify(args) === JSON.stringify(argumentsOf(call));

/**
 * The next call of the plan; undefined when all are done, one has failed, or there were enough. A call is
 * never made twice.
 */
function nextCall({ done }: Turn, plan: Plan): PlannedCall | undefined {
  if (plan.kind !== "act" || done.length >= mostCalls || done.some(({ ok }) => !ok)) return undefined;
  const next = plan.calls[done.length];
  if (done.some((outcome) => next && isSame(next, outcome))) return undefined;
  return next;
}

/** What came of the calls, one after the other; a failure ends them. */
function report({ done }: Turn, plan: Plan): string {
  const isCut = plan.kind === "act" && done.at(-1)?.ok === false && done.length < plan.calls.length;
  const lines = done.map(reportOf);
  if (isCut) lines.push("I stopped there.");
  return lines.join("\n\n");
}

/** What can be said to a message without words that could be read. */
function unreadable(request: string): string | undefined {
  if (!/[\p{L}\p{N}?]/u.test(request)) return "I need some words to go by.";
  if (/[A-Za-z0-9?]/.test(request)) return undefined;
  return "I understand only English.";
}

/**
 * Answers a model call: the same messages and tools always get the same reply. Rejects with the signal's
 * reason.
 */
export async function reply(
  call: ModelCall,
  vectors: VectorCache,
  clock: Clock,
  signal: AbortSignal,
): Promise<Reply> {
  const turn = readTurn(call.messages);
  const tools = allowedTools(call);
  const excuse = unreadable(turn.request);
  if (excuse !== undefined) return { text: excuse };
  const { context } = turn;
  const means: Means = { tools, vectors, signal, context, now: wallClock(context, clock) };
  const plan = await planInConversation(turn.request, turn.before, means);
  const next = nextCall(turn, plan);
  if (next !== undefined) return { tool: next.route.tool, arguments: argumentsOf(next) };
  if (turn.done.length > 0 || plan.kind === "act") return { text: report(turn, plan) };
  return { text: plan.text };
}
