import type { Json } from "@pergola/sdk";
import { talkIn } from "../answers/small-talk.ts";
import { readOrder, soundsLikeOrder } from "../phrase/order.ts";
import { readPhrase } from "../phrase/phrase.ts";
import type { Means } from "../router/route-request.ts";
import { fitOf } from "../slots/fit.ts";
import { globOf } from "../slots/glob.ts";
import type { Slot } from "../slots/slot.ts";
import { makePlan } from "./make-plan.ts";
import type { Pending, Plan } from "./plan.ts";
import type { Exchange } from "./turn.ts";
import { askFor } from "./wording.ts";

const yes =
  /^(?:yes|yeah|yep|y|sure|ok|okay|of course|please do|do it|do that|go ahead|go on|confirmed?|right|correct|exactly)\b/i;
const reservation = /\b(?:but|not|don't|no|wait|except|only|if|unless|instead|later)\b/i;

/** How many questions in a row are remembered. */
const farBack = 3;

/** The slot's value in a short answer such as `notes.txt`, `"hello"` or `line 3`. */
function valueIn(answer: string, slot: Slot): Json | undefined {
  const phrase = readPhrase(answer);
  const fits = phrase.marks
    .map((mark) => ({ mark, fit: fitOf(mark, { ...slot, required: true }, phrase, []) }))
    .filter(({ fit }) => fit > 0.3);
  const best = fits.toSorted((a, b) => b.fit - a.fit)[0]?.mark;
  if (best !== undefined) return slot.kind === "glob" ? globOf(best) : best.value;
  const bare = answer.trim().replace(/[.!]$/, "");
  if (slot.kind === "text") return bare;
  return slot.kind !== "number" && /^[\w.@-]{1,80}$/.test(bare) ? bare : undefined;
}

async function fillSlot(
  { calls: [call] }: Pending,
  slot: Slot,
  answer: string,
  means: Means,
): Promise<Plan | undefined> {
  const fresh = soundsLikeOrder(readOrder(readPhrase(answer))) ? await makePlan(answer, means) : undefined;
  if (fresh?.kind === "calls") return fresh;
  const value = valueIn(answer, slot);
  if (value === undefined || call === undefined) return undefined;
  const filled = { ...call, arguments: { ...call.arguments, [slot.name]: value } };
  const next = call.route.slots.find(({ name, required }) => required && !(name in filled.arguments));
  if (next === undefined) return { kind: "calls", calls: [filled] };
  return { kind: "say", text: askFor(call.route, next), pending: { calls: [filled], slot: next } };
}

async function resolve(pending: Pending, answer: string, means: Means): Promise<Plan | undefined> {
  if (talkIn(answer) === "refusal") return { kind: "say", text: "All right, I leave it." };
  if (pending.slot !== undefined) return fillSlot(pending, pending.slot, answer, means);
  return yes.test(answer.trim()) && !reservation.test(answer)
    ? { kind: "calls", calls: pending.calls }
    : undefined;
}

/**
 * The request with the one path that the message before it named in the place of "it"; undefined when there
 * is nothing to put there.
 */
function withPathFromBefore(request: string, before: readonly Exchange[]): string | undefined {
  if (readPhrase(request).marks.some(({ kind }) => kind === "path")) return undefined;
  const paths = readPhrase(before.at(-1)?.request ?? "").marks.filter(
    ({ kind, loose }) => kind === "path" && loose !== true,
  );
  const [path] = paths;
  const named =
    path === undefined || paths.length > 1
      ? request
      : request.replace(/\b(?:it|(?:that|this|the same) (?:file|folder))\b/i, String(path.value));
  return named === request ? undefined : named;
}

/** Words such as "it" are enough to look something up again, but never to change it. */
async function planAgain(
  request: string,
  before: readonly Exchange[],
  means: Means,
): Promise<Plan | undefined> {
  const named = withPathFromBefore(request, before);
  const plan = named === undefined ? undefined : await makePlan(named, means);
  return plan?.kind === "calls" && plan.calls.every(({ route }) => !route.careful) ? plan : undefined;
}

/**
 * The plan for a request, taken as the answer to the guide's own open question where there is one. The
 * question is found again by planning the message before it: nothing is kept between calls.
 */
export async function planInTalk(
  request: string,
  before: readonly Exchange[],
  means: Means,
  depth = farBack,
): Promise<Plan> {
  const last = before.at(-1);
  const asks = last !== undefined && depth > 0 && last.answer.includes("?");
  const asked = asks ? await planInTalk(last.request, before.slice(0, -1), means, depth - 1) : undefined;
  if (asked?.kind === "say" && asked.pending !== undefined && last?.answer.includes(asked.text) === true) {
    const plan = await resolve(asked.pending, request, means);
    if (plan !== undefined) return plan;
  }
  return (await planAgain(request, before, means)) ?? makePlan(request, means);
}
