import type { Decision } from "./decision.ts";
import type { Order } from "../phrase/order.ts";
import type { Phrase } from "../phrase/phrase.ts";
import type { Candidate } from "./rank.ts";
import { floors } from "./weights.ts";

const none: Decision = { kind: "none" };
const refusals: ReadonlySet<string> = new Set(["negated", "withdrawn", "postponed"]);

/** Looking something up: a good likeness is enough, for nothing can break. */
function decideReading({ route, filling, score, words }: Candidate, order: Order): Decision {
  const bare = words.action === 0 && filling.loose.length > 0 && filling.loose.every((name) => route.slots.find((slot) => slot.name === name)?.required === true);
  if (score < (bare ? floors.bare : floors.reading)) return none;
  if (order.objection !== undefined && refusals.has(order.objection) && words.action === 0) return none;
  const slot = filling.missing[0];
  if (slot === undefined) return { kind: "call", route, arguments: filling.arguments };
  return words.action === 1 ? { kind: "ask", route, slot, arguments: filling.arguments } : none;
}

const isDestructiveSlip = (order: Order, { route }: Candidate): boolean => order.verb?.corrected === true && route.name.includes("delete");

/** Changing something: only on a plain order, with every required slot given in so many words. */
function decideChange(best: Candidate, rivals: readonly Candidate[], order: Order): Decision {
  const { route, filling, score, words } = best;
  const held: Decision = { kind: "held", route, objection: order.objection ?? "unclear" };
  if (words.action === 0 || order.objection !== undefined) return score >= floors.held ? held : none;
  const slot = filling.missing[0];
  if (slot !== undefined) return score >= floors.careful - 0.15 ? { kind: "ask", route, slot, arguments: filling.arguments } : none;
  if (score < floors.careful) return score >= floors.held ? { kind: "confirm", route, arguments: filling.arguments } : none;
  if (filling.leftover.some(({ kind, loose }) => kind !== "number" || loose !== true)) return held;
  const rival = rivals.find((each) => each.route.careful && each.words.action === 1 && each.filling.missing.length + each.filling.leftover.length === 0);
  const close = rival !== undefined && score - rival.score < floors.rival;
  if (filling.loose.length > 0 || close || isDestructiveSlip(order, best)) return { kind: "confirm", route, arguments: filling.arguments };
  return { kind: "call", route, arguments: filling.arguments };
}

/** What to do about a phrase, given the ranked routes. */
export function decide(_phrase: Phrase, order: Order, [best, ...rivals]: readonly Candidate[]): Decision {
  if (best === undefined) return none;
  return best.route.careful ? decideChange(best, rivals, order) : decideReading(best, order);
}
