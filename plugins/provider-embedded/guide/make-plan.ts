import type { OfferedTool } from "@pergola/sdk";
import type { VectorCache } from "../embedder/vector-cache.ts";
import { objections } from "../language/objections.ts";
import type { Decision } from "../router/decision.ts";
import { type Routed, routeRequest } from "../router/route-request.ts";
import { isCourtesy } from "../answers/small-talk.ts";
import { mostCalls, type Plan, type PlannedCall } from "./plan.ts";
import { splitRequest } from "./split-request.ts";
import { spreadCalls } from "./spread.ts";
import { askFor, confirmCall, explainHeld } from "./wording.ts";

/** What planning needs besides the words. */
export interface Means {
  readonly tools: readonly OfferedTool[];
  readonly vectors: VectorCache;
  readonly signal: AbortSignal;
}

const isCareful = (calls: readonly PlannedCall[]): boolean => calls.some(({ route }) => route.careful);

function callsOf(part: string, { decision, ranked }: Routed): readonly PlannedCall[] {
  const [best] = ranked;
  const spread = best !== undefined && (decision.kind === "call" || (decision.kind === "held" && decision.objection === "unclear")) ? spreadCalls(part, best) : [];
  if (spread.length > 0) return spread.slice(0, mostCalls);
  return decision.kind === "call" ? [{ route: decision.route, arguments: decision.arguments }] : [];
}

const sayings: { readonly [K in Decision["kind"]]?: (decision: Extract<Decision, { kind: K }>) => Plan } = {
  ask: ({ route, slot, arguments: args }) => ({ kind: "say", text: askFor(route, slot), pending: { call: { route, arguments: args }, slot } }),
  confirm: ({ route, arguments: args }) => ({ kind: "say", text: confirmCall(route, args), pending: { call: { route, arguments: args }, slot: undefined } }),
  held: ({ route, objection }) => ({ kind: "say", text: explainHeld(route, objection) }),
};

function planOf(request: string, routed: Routed): Plan {
  const calls = callsOf(request, routed);
  if (calls.length > 0) return { kind: "calls", calls };
  const saying = sayings[routed.decision.kind] as ((decision: Decision) => Plan) | undefined;
  return saying?.(routed.decision) ?? { kind: "none", ranked: routed.ranked };
}

/** Several steps: all of them when each is clear; the first ones, when what follows is not and nothing is changed. */
async function planSteps(parts: readonly string[], means: Means): Promise<Plan | undefined> {
  const steps: PlannedCall[] = [];
  for (const [index, part] of parts.entries()) {
    const calls = callsOf(part, await routeRequest(part, means.tools, means.vectors, means.signal));
    if (calls.length === 0 && (index === 0 || isCareful(steps))) return undefined;
    if (calls.length === 0) return { kind: "calls", calls: steps, note: `I did not understand this part well enough to act on it: “${parts.slice(index).join(" … ")}”.` };
    steps.push(...calls);
  }
  return { kind: "calls", calls: steps.slice(0, mostCalls) };
}

/** A change that only a part of the message orders, or that the message takes back, wants a yes first. */
function guarded(plan: Plan, request: string, parts: readonly string[]): Plan {
  const [call] = plan.kind === "calls" && isCareful(plan.calls) ? plan.calls : [];
  if (call === undefined || (parts.length === 1 && objections.withdrawn?.test(request) !== true)) return plan;
  return { kind: "say", text: confirmCall(call.route, call.arguments), pending: { call, slot: undefined } };
}

/** Works out what to do about a request: the calls to make in order, a question, or nothing. */
export async function makePlan(request: string, means: Means): Promise<Plan> {
  const parts = splitRequest(request).filter((part) => !isCourtesy(part));
  const steps = parts.length > 1 ? await planSteps(parts, means) : undefined;
  if (steps !== undefined && objections.withdrawn?.test(request) !== true) return steps;
  const whole = parts.length === 1 ? (parts[0] ?? request) : request;
  return guarded(planOf(whole, await routeRequest(whole, means.tools, means.vectors, means.signal)), request, parts);
}
