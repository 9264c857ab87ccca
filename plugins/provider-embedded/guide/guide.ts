import type { Clock, ModelCall, OfferedTool } from "@pergola/sdk";
import { explainOperation } from "../answers/capabilities.ts";
import { bestStatement, isFactQuestion, isStatement, retold, statementsIn } from "../answers/facts.ts";
import { momentAnswer, momentUnknown } from "../answers/moment.ts";
import { talkIn } from "../answers/small-talk.ts";
import { replyTo } from "../answers/talk.ts";
import type { VectorCache } from "../embedder/vector-cache.ts";
import { keyOf } from "../language/concepts.ts";
import { longestRequest, readPhrase } from "../phrase/phrase.ts";
import { answerFrom } from "../results/answer.ts";
import { catalogueOf } from "../router/catalogue.ts";
import { bestFrame, isExact } from "../slots/give-frame.ts";
import type { Means } from "../router/route-request.ts";
import { fallback } from "./fallback.ts";
import type { Outcome } from "./outcome.ts";
import { planInTalk } from "./pending.ts";
import { mostCalls, type Plan, type PlannedCall } from "./plan.ts";
import type { Reply } from "./reply.ts";
import { type Exchange, readTurn, type Turn } from "./turn.ts";
import { wallClock } from "./wall-clock.ts";

/** The tools that a caller's `tool_choice` leaves: none, one, or all. */
function allowedTools({ tools, sampling: { toolChoice } }: ModelCall): readonly OfferedTool[] {
  if (toolChoice === "none") return [];
  const name =
    typeof toolChoice === "object" && toolChoice !== null
      ? (toolChoice as { readonly function?: { readonly name?: string } }).function?.name
      : undefined;
  return name === undefined ? tools : tools.filter((tool) => tool.name === name);
}

/** "Remember that …" is an order where something is offered that remembers. */
const isForMemory = (request: string, tools: readonly OfferedTool[]): boolean =>
  /^(?:please )?(?:remember|don'?t forget|note)\b/i.test(request.trim()) &&
  catalogueOf(tools).some(({ careful, actions }) => careful && actions.has(keyOf("remember")));

/** "Todo 4 is done": a statement that follows one among the examples is meant as an order. */
function isOrder(request: string, tools: readonly OfferedTool[]): boolean {
  const phrase = readPhrase(request);
  const frames = catalogueOf(tools).map((route) => bestFrame(phrase, route));
  return frames.some((frame) => frame !== undefined && isExact(frame) && isStatement(frame.say));
}

/** Answers that need neither a tool nor the sentence embedding, in the order in which they are tried. */
const atOnce: readonly ((turn: Turn, tools: readonly OfferedTool[]) => string | undefined)[] = [
  ({ request }) => (/[\p{L}\p{N}?]/u.test(request) ? undefined : "I need some words to go by."),
  ({ request }) =>
    /\p{L}/u.test(request) && !/[A-Za-z]/.test(request) ? "I understand only English." : undefined,
  ({ request, before }, tools) => {
    const talk = talkIn(request);
    const open = before.at(-1)?.answer.includes("?") === true && (talk === "assent" || talk === "refusal");
    return talk === undefined || open ? undefined : replyTo(talk, tools);
  },
  ({ request }, tools) => explainOperation(request, tools),
  ({ request, before }) => toldBefore(request, before),
  ({ request, context }) => momentAnswer(request, context),
  ({ request, context }) => noted(request, context.lines),
  ({ request }) => momentUnknown(request),
  ({ request }, tools) =>
    isStatement(request) && !isForMemory(request, tools) && !isOrder(request, tools)
      ? `Noted. ${retold(request)}`
      : undefined,
];

function answerAtOnce(turn: Turn, tools: readonly OfferedTool[]): string | undefined {
  if (turn.request.length > longestRequest) return undefined;
  for (const answer of atOnce) {
    const text = answer(turn, tools);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** How many of the person's last messages are searched for what they told. */
const remembered = 200;

function toldBefore(request: string, before: readonly Exchange[]): string | undefined {
  if (!isFactQuestion(request)) return undefined;
  const messages = before.slice(-remembered).map((exchange) => exchange.request);
  const statement = bestStatement(request, statementsIn(messages));
  return statement === undefined ? undefined : retold(statement);
}

/** From what the host put beside the message, such as memories: quoted, for they are somebody's words. */
function noted(request: string, lines: readonly string[]): string | undefined {
  const memories = lines.filter(
    (line) =>
      !/^(?:date|time zone|user|language|conversation|topic|working directory|iteration|title):/i.test(line),
  );
  const line = isFactQuestion(request) ? bestStatement(request, memories) : undefined;
  return line === undefined ? undefined : `I have this note: “${line.replace(/^[-*]\s*/, "")}”`;
}

const argumentsOf = ({ route, arguments: args }: PlannedCall): Readonly<Record<string, unknown>> =>
  route.operation === undefined ? args : { operation: route.operation, ...args };
const isSame = (call: PlannedCall, { name, arguments: args }: Outcome): boolean =>
  name === call.route.tool && JSON.stringify(args) === JSON.stringify(argumentsOf(call));

/** What was found out so far, step by step; a failure ends it. */
async function report(turn: Turn, plan: Plan, means: Means): Promise<string> {
  const planned = plan.kind === "calls" ? plan.calls : [];
  const answers = await Promise.all(
    turn.done.map((outcome) =>
      answerFrom(
        planned.find((call) => isSame(call, outcome))?.say ?? turn.request,
        outcome,
        means.vectors,
        means.signal,
      ),
    ),
  );
  const failed =
    turn.done.at(-1)?.ok === false && turn.done.length < planned.length ? ["I stopped there."] : [];
  const note = plan.kind === "calls" && plan.note !== undefined ? [plan.note] : [];
  return [...answers, ...failed, ...note].join("\n\n");
}

/**
 * The next call of the plan; undefined when all are done, one has failed, or there were enough. A call is
 * never made twice.
 */
function nextCall({ done }: Turn, plan: Plan): PlannedCall | undefined {
  if (plan.kind !== "calls" || done.length >= mostCalls || done.some(({ ok }) => !ok)) return undefined;
  const next = plan.calls[done.length];
  return next === undefined || done.some((outcome) => isSame(next, outcome)) ? undefined : next;
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
  const known = turn.done.length > 0 ? undefined : answerAtOnce(turn, tools);
  if (known !== undefined) return { text: known };
  const means: Means = { tools, vectors, signal, now: wallClock(turn.context, clock) };
  const plan = await planInTalk(turn.request, turn.before, means);
  const next = nextCall(turn, plan);
  if (next !== undefined) return { tool: next.route.tool, arguments: argumentsOf(next) };
  if (turn.done.length > 0) return { text: await report(turn, plan, means) };
  if (plan.kind === "say") return { text: plan.text };
  const talk = talkIn(turn.request);
  return {
    text: talk === undefined ? fallback(plan.kind === "none" ? plan.ranked : []) : replyTo(talk, tools),
  };
}
