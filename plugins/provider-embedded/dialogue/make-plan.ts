import type { Effect } from "@pergola/sdk";
import { cover } from "../examples/cover.ts";
import type { Pattern } from "../examples/pattern.ts";
import { type Route, routesOf } from "../examples/routes.ts";
import { fillArguments } from "../nearest/fill.ts";
import { rankRoutes } from "../nearest/rank.ts";
import { findDates } from "../request/dates.ts";
import { isOtherLanguage } from "../request/other-language.ts";
import { plainText, readRequest, type Request } from "../request/read-request.ts";
import { type Means, mostCalls, type Plan, type PlannedCall } from "./plan.ts";
import { eachNamed, stepsOf } from "./steps.ts";
import { askText, chooseText, confirmText, exampleText, otherLanguageText } from "./wording.ts";

interface Reading extends PlannedCall {
  readonly pattern: Pattern;
}

const harmless: ReadonlySet<Effect> = new Set(["none", "read"]);
const mostOptions = 3;
/** A longer message is not looked at. */
const longestRequest = 4000;
const withdrawal =
  /\b(?:no,? wait|wait,? no|never ?mind|scratch that|forget (?:it|that)|just kidding|second thought)\b/i;

/** An operation of several effects does the weakest when no choice is made. */
export function isHarmless({ route, arguments: args }: PlannedCall): boolean {
  const [weakest = "execute"] = route.effects;
  const isChosen = Object.keys(args).some((name) => route.parameters[name]?.enum !== undefined);
  return route.effects.every((effect) => harmless.has(effect)) || (harmless.has(weakest) && !isChosen);
}

/** Memories and to-dos are changed at once; all other changes are shown first. */
const mayActAtOnce = (call: PlannedCall): boolean => call.route.isKeeping || isHarmless(call);

const asRequest = async (say: string, now: number): Promise<Request> =>
  readRequest(say, await findDates(plainText(say), now));

/** Calls whose examples cover the request to the last word, of those that say most about it. */
function readingsOf(request: Request, routes: readonly Route[]): readonly Reading[] {
  if (withdrawal.test(request.text)) return [];
  const all = routes.flatMap((route) =>
    route.patterns.flatMap((pattern) =>
      cover(pattern, request).map((args): Reading => ({ route, pattern, arguments: args })),
    ),
  );
  const most = Math.max(...all.map(({ pattern }) => pattern.weight));
  const best = all.filter(({ pattern }) => pattern.weight === most);
  const calls = new Map(
    best.map((each) => [`${each.route.tool} ${each.route.name} ${JSON.stringify(each.arguments)}`, each]),
  );
  return [...calls.values()];
}

/** A question is no order to keep something, unless the example is one, too. */
const isOrder = ({ pattern, ...call }: Reading, request: Request): boolean =>
  !call.route.isKeeping || isHarmless(call) || pattern.isQuestion || !request.isQuestion;

/** The one call that a sentence means; several when it may mean each of them. */
async function callsFor(say: string, { tools, now }: Means): Promise<readonly PlannedCall[]> {
  const request = await asRequest(say, now);
  const readings = readingsOf(request, routesOf(tools));
  const plain = readings.filter((reading) => isOrder(reading, request));
  if (plain.every(isHarmless)) return plain.slice(0, 1);
  return plain;
}

/** The calls of all parts; undefined when one of them is not clear. */
async function callsForAll(
  parts: readonly string[],
  means: Means,
): Promise<readonly PlannedCall[] | undefined> {
  if (parts.length < 2 || parts.length > mostCalls) return undefined;
  const calls: PlannedCall[] = [];
  for (const part of parts) {
    const [only, ...others] = await callsFor(part, means);
    if (only === undefined || others.length > 0) return undefined;
    calls.push(only);
  }
  return calls;
}

/** Acts when nothing can be harmed, and asks for a yes otherwise. */
function planOf(calls: readonly PlannedCall[]): Plan {
  if (calls.every(mayActAtOnce)) return { kind: "act", calls };
  return { kind: "confirm", text: confirmText(calls), calls };
}

/** Goes on with a call: asks for what is missing, or for a yes, or makes it. */
export function settle(call: PlannedCall): Plan {
  const name = call.route.required.find((each) => !(each in call.arguments));
  if (name === undefined) return planOf([call]);
  const { type } = call.route.parameters[name] ?? {};
  const isSpoken = type === "string" || type === "integer" || type === "number";
  if (isSpoken) return { kind: "ask", text: askText(call, name), call, name };
  return { kind: "say", text: exampleText(call) };
}

const choose = (options: readonly PlannedCall[]): Plan => ({
  kind: "choose",
  text: chooseText(options),
  options,
});

/** What a message clearly asks for; undefined when its words do not all belong to what the guide knows. */
export async function clearPlan(say: string, means: Means): Promise<Plan | undefined> {
  if (say.length > longestRequest) return undefined;
  const whole = await callsFor(say, means);
  if (whole.length > 1) return choose(whole.slice(0, mostOptions));
  if (whole.length === 1) return planOf(whole);
  const parts = await callsForAll(eachNamed(plainText(say)) ?? stepsOf(plainText(say)), means);
  return parts && planOf(parts);
}

/** The nearest things that can be done, to choose from. */
async function nearestPlan(say: string, { tools, vectors, now, signal }: Means): Promise<Plan> {
  const request = await asRequest(say.slice(0, longestRequest), now);
  const ranked = await rankRoutes(request.text, routesOf(tools), vectors, signal);
  return choose(
    ranked.slice(0, mostOptions).map((route) => ({ route, arguments: fillArguments(route, request) })),
  );
}

/** Works out what to do about a message. Rejects with the signal's reason. */
export async function makePlan(say: string, means: Means): Promise<Plan> {
  const clear = await clearPlan(say, means);
  if (clear !== undefined) return clear;
  if (isOtherLanguage(say)) return { kind: "say", text: otherLanguageText };
  return nearestPlan(say, means);
}
