import { isCourtesy } from "../answers/small-talk.ts";
import { objections } from "../language/objections.ts";
import { readOrder, soundsLikeOrder } from "../phrase/order.ts";
import { longestRequest, readPhrase } from "../phrase/phrase.ts";
import type { Decision } from "../router/decision.ts";
import { type Means, type Routed, routeRequest } from "../router/route-request.ts";
import { isExact } from "../slots/give-frame.ts";
import { mostCalls, type Plan, type PlannedCall } from "./plan.ts";
import { splitRequest } from "./split-request.ts";
import { spreadCalls } from "./spread.ts";
import { askFor, confirmCalls, explainHeld, tooLong } from "./wording.ts";

interface Step {
  readonly part: string;
  readonly calls: readonly PlannedCall[];
}

const isCareful = (calls: readonly PlannedCall[]): boolean => calls.some(({ route }) => route.careful);
const isTakenBack = (request: string): boolean => objections.withdrawn?.test(request) === true;

/** Words that go with the step before them: `… and tell me the total`. */
const followsUp =
  /^(?:and )?(?:tell|give|show|let me|explain|say|summar|answer|find out|what|which|how|who|when|where|is|are|does|do)\b/i;

/**
 * The calls that a part of a request is about; several where it names several things for one operation, and
 * nothing else is left over.
 */
function callsOf(part: string, { decision, ranked: [best] }: Routed): readonly PlannedCall[] {
  const maySpread =
    decision.kind === "call" || (decision.kind === "held" && decision.objection === "leftover");
  const spread = best !== undefined && maySpread ? spreadCalls(part, best) : [];
  if (spread.length > 0) return spread;
  return decision.kind === "call"
    ? [{ route: decision.route, arguments: decision.arguments, say: part }]
    : [];
}

function confirmed(calls: readonly PlannedCall[]): Plan {
  return { kind: "say", text: confirmCalls(calls), pending: { calls, slot: undefined } };
}

function planDecision(say: string, decision: Decision, ranked: Routed["ranked"]): Plan {
  if (decision.kind === "none" || decision.kind === "call") return { kind: "none", ranked };
  const { route } = decision;
  if (decision.kind === "held") return { kind: "say", text: explainHeld(route, decision.objection) };
  const calls = [{ route, arguments: decision.arguments, say }];
  if (decision.kind === "confirm") return confirmed(calls);
  return { kind: "say", text: askFor(route, decision.slot), pending: { calls, slot: decision.slot } };
}

async function planWhole(request: string, means: Means, certain: boolean): Promise<Plan> {
  const routed = await routeRequest(request, means);
  const calls = callsOf(request, routed).slice(0, mostCalls);
  if (calls.length === 0) return planDecision(request, routed.decision, routed.ranked);
  return isCareful(calls) && !certain ? confirmed(calls) : { kind: "calls", calls };
}

const isAbout = ({ part, calls }: Step): boolean => calls.length > 0 || followsUp.test(part);

/**
 * Several steps: all of them in order when each is clear; the first ones with a note when what follows is not
 * and nothing is changed.
 */
function planSteps(steps: readonly Step[]): Plan | undefined {
  const open = steps.findIndex(
    ({ part, calls }, index) =>
      calls.length === 0 &&
      (index === 0 || !followsUp.test(part)) &&
      soundsLikeOrder(readOrder(readPhrase(part))),
  );
  const idle = steps.filter(({ calls }) => calls.length === 0).length;
  const clear = (open < 0 ? steps : steps.slice(0, open)).flatMap(({ calls }) => calls).slice(0, mostCalls);
  if (clear.length === 0) return undefined;
  if (isCareful(clear)) return idle === 0 ? { kind: "calls", calls: clear } : undefined;
  const rest =
    open < 0
      ? ""
      : steps
          .slice(open)
          .map(({ part }) => part)
          .join(" … ");
  const [only] = clear;
  const calls =
    clear.length === 1 && only !== undefined && open < 0
      ? [
          {
            ...only,
            say: steps
              .filter(isAbout)
              .map(({ part }) => part)
              .join(". "),
          },
        ]
      : clear;
  return {
    kind: "calls",
    calls,
    ...(rest === "" ? {} : { note: `I did not understand this part well enough to act on it: “${rest}”.` }),
  };
}

/**
 * One call of the same operation, by a part and by the whole: the whole may say more about its arguments, the
 * part is what it answers.
 */
function merged(plan: Plan | undefined, whole: Plan): Plan {
  const [ofPart, ...moreParts] = plan?.kind === "calls" && plan.note === undefined ? plan.calls : [];
  const [ofWhole, ...moreWhole] = whole.kind === "calls" ? whole.calls : [];
  const isSame =
    ofPart !== undefined && ofPart.route === ofWhole?.route && moreParts.length + moreWhole.length === 0;
  return isSame ? { kind: "calls", calls: [{ ...ofWhole, say: ofPart.say }] } : (plan ?? whole);
}

/**
 * Works out what to do about a request: the calls in order, a question, or nothing. A change needs the whole
 * message to be plain.
 */
export async function makePlan(request: string, means: Means): Promise<Plan> {
  const plan = await planParts(request, means);
  const isCut = request.length > longestRequest && plan.kind === "calls" && isCareful(plan.calls);
  return isCut ? { kind: "say", text: tooLong } : plan;
}

/** It follows an example that is of several steps itself: they belong together. */
function followsLong({ ranked: [best] }: Routed): boolean {
  const frame = best?.filling.frame;
  return isExact(frame) && splitRequest(frame?.say ?? "").parts.length > 1;
}

async function planParts(request: string, means: Means): Promise<Plan> {
  const { parts: all, entangled } = splitRequest(request);
  const parts = all.filter((part) => !isCourtesy(part));
  if (parts.length < 2) return planWhole(parts[0] ?? request, means, !entangled && !isTakenBack(request));
  const whole = await routeRequest(request, means);
  if (followsLong(whole) && !isTakenBack(request)) return planWhole(request, means, true);
  const steps: Step[] = [];
  for (const part of parts) steps.push({ part, calls: callsOf(part, await routeRequest(part, means)) });
  const plan =
    isTakenBack(request) || (entangled && isCareful(steps.flatMap(({ calls }) => calls)))
      ? undefined
      : planSteps(steps);
  return plan?.kind === "calls" && plan.calls.length > 1
    ? plan
    : merged(plan, await planWhole(request, means, false));
}
