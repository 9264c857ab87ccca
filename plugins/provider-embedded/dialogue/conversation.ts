import type { Json } from "@pergola/sdk";
import { piecesOf, plainText, readRequest } from "../request/read-request.ts";
import { isOfKind, numberOf } from "../request/value-kinds.ts";
import { ownAnswer } from "../talk/talk.ts";
import { clearPlan, isHarmless, makePlan, settle } from "./make-plan.ts";
import type { Means, Plan, PlannedCall } from "./plan.ts";
import type { Exchange } from "./turn.ts";
import { leaveText } from "./wording.ts";

const yes =
  /^(?:yes|yeah|yep|y|sure|ok|okay|of course|please do|do it|do that|go ahead|confirmed?|correct)[\s.!,]*(?:please)?[\s.!]*$/i;
const no = /^(?:no|nope|nah|n|never ?mind|cancel|stop|don't|forget it|leave it|none|neither)\b/i;
const ordinals: Readonly<Record<string, number>> = {
  first: 1,
  second: 2,
  third: 3,
  one: 1,
  two: 2,
  three: 3,
  last: 3,
};
const choice =
  /^(?:number |option |no\.? |the |#)*(\d|first|second|third|one|two|three|last)(?: one| option)?[.!)]?$/i;

/** How many questions in a row are gone back to. */
const mostQuestions = 4;

/** `2`, `number 2`, `the second one`. */
function choiceIn(answer: string): number {
  const word = choice.exec(answer)?.[1]?.toLowerCase() ?? "";
  return ordinals[word] ?? Number(word);
}

/** The value in a short answer such as `notes.txt`, `"hello"` or `the file a.txt`. */
function valueIn(answer: string, { route }: PlannedCall, name: string): Json | undefined {
  const { type, format = "" } = route.parameters[name] ?? {};
  const pieces = piecesOf(answer);
  if (type !== "string") {
    const number = pieces.find(({ text }) => isOfKind(text, "number"));
    return number && numberOf(number.text);
  }
  const quoted = pieces.find((piece) => piece.quoted !== undefined)?.quoted;
  if (quoted !== undefined) return quoted;
  if (!format.startsWith("path")) return answer.replace(/[.!]$/, "");
  const path = pieces.find(({ text }) => isOfKind(text, "path"));
  if (path === undefined && pieces.length > 1) return undefined;
  return (path ?? pieces[0])?.text;
}

/** What an answer to an open question leads to; undefined when it is no answer to it. */
async function resolve(plan: Plan, text: string, means: Means): Promise<Plan | undefined> {
  const answer = plainText(text);
  if (plan.kind === "act" || plan.kind === "say") return undefined;
  if (no.test(answer) && answer.length < 20) return { kind: "say", text: leaveText };
  if (plan.kind === "confirm") {
    if (!yes.test(answer)) return undefined;
    return { kind: "act", calls: plan.calls };
  }
  if (plan.kind === "choose") {
    const option = plan.options[choiceIn(answer) - 1];
    return option && settle(option);
  }
  const fresh = await clearPlan(text, means);
  if (fresh !== undefined) return fresh;
  const value = valueIn(answer, plan.call, plan.name);
  if (value === undefined) return undefined;
  return settle({ ...plan.call, arguments: { ...plan.call.arguments, [plan.name]: value } });
}

/**
 * A question about “it” with the one path that the message before it named: good enough to look something up,
 * never to change it.
 */
async function planAboutIt(
  request: string,
  last: Exchange | undefined,
  means: Means,
): Promise<Plan | undefined> {
  const paths = piecesOf(plainText(last?.request ?? "")).filter(({ text }) => isOfKind(text, "path"));
  const [path] = paths;
  const named = request.replace(/\b(?:it|(?:that|this|the same) (?:file|folder))\b/i, path?.text ?? "it");
  if (paths.length !== 1 || named === request) return undefined;
  const plan = await clearPlan(named, means);
  if (plan?.kind !== "act" || !plan.calls.every(isHarmless)) return undefined;
  return plan;
}

/**
 * The question that the guide's last answer left open. It is found again by planning the message before it:
 * nothing is kept between calls. Vectors that were not there yet may be there now, so both ways are tried.
 */
async function openQuestion(
  before: readonly Exchange[],
  means: Means,
  depth: number,
): Promise<Plan | undefined> {
  const last = before.at(-1);
  if (last === undefined || !last.answer.includes("?") || depth === 0) return undefined;
  for (const each of [means, { ...means, vectors: undefined }]) {
    const plan = await planInConversation(last.request, before.slice(0, -1), each, depth - 1);
    if (plan.kind !== "act" && last.answer.endsWith(plan.text)) return plan;
  }
  return undefined;
}

/** The plan for a message, taken as the answer to the guide's own open question where there is one. */
export async function planInConversation(
  request: string,
  before: readonly Exchange[],
  means: Means,
  depth = mostQuestions,
): Promise<Plan> {
  const open = await openQuestion(before, means, depth);
  const answered = open && (await resolve(open, request, means));
  if (answered !== undefined) return answered;
  const own = ownAnswer(readRequest(request), means.tools, means.context);
  if (own !== undefined) return { kind: "say", text: own };
  return (await planAboutIt(request, before.at(-1), means)) ?? makePlan(request, means);
}
