import { ToolError } from "@pergola/sdk";
import { findCycle } from "./find-cycle.ts";
import type { Todo } from "./todo.ts";

type Rule = (items: readonly Todo[]) => readonly string[];

const idsOf = (items: readonly Todo[]): readonly number[] => items.map(({ id }) => id);

const uniqueIds: Rule = (items) => {
  const ids = idsOf(items);
  const twice = [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
  return twice.map((id) => `The id ${id} stands for more than one to-do.`);
};

const titled: Rule = (items) =>
  items.filter(({ title }) => title.trim() === "").map(({ id }) => `To-do ${id} has no title.`);

const knownDependencies: Rule = (items) => {
  const ids = new Set(idsOf(items));
  const unknown = items.map(({ id, dependencies = [] }) => ({
    id,
    missing: dependencies.filter((need) => !ids.has(need)),
  }));
  return unknown
    .filter(({ missing }) => missing.length > 0)
    .map(({ id, missing }) => `To-do ${id} depends on ${missing.join(", ")}, not in the list.`);
};

const noCycle: Rule = (items) => {
  const cycle = findCycle(new Map(items.map(({ id, dependencies = [] }) => [id, dependencies])));
  if (cycle === undefined) return [];
  return [`Dependencies run in a circle: ${[...cycle, cycle[0]].join(" → ")}.`];
};

const blockedForReason: Rule = (items) =>
  items
    .filter(({ status, blockedReason = "" }) => status === "blocked" && blockedReason.trim() === "")
    .map(({ id }) => `To-do ${id} is blocked without a blockedReason.`);

const oneInProgress: Rule = (items) => {
  const busy = items.filter(({ status }) => status === "in-progress");
  if (busy.length < 2) return [];
  return [`Only one to-do may be in-progress, not ${idsOf(busy).join(" and ")}.`];
};

const most = 500;
const bounded: Rule = (items) =>
  items.length > most ? [`A list holds at most ${most} to-dos, not ${items.length}.`] : [];

const rules: readonly Rule[] = [
  bounded,
  uniqueIds,
  titled,
  knownDependencies,
  noCycle,
  blockedForReason,
  oneInProgress,
];

/** The rules that a list breaks, one sentence each. */
export const faultsOf: Rule = (items) => rules.flatMap((rule) => rule(items));

/** Completed to-dos that a new list leaves out: what was done stays on the list, if only to be reopened. */
export function droppedFrom(before: readonly Todo[], after: readonly Todo[]): readonly string[] {
  const remaining = new Set(idsOf(after));
  const dropped = before.filter(({ id, status }) => status === "completed" && !remaining.has(id));
  return dropped.map(({ id, title }) => `The completed to-do ${id} "${title}" is missing.`);
}

/** Throws ToolError `invalid_value` with all faults when there is one. */
export function refuse(faults: readonly string[], hint: string): void {
  if (faults.length === 0) return;
  throw new ToolError("invalid_value", faults.slice(0, 20).join(" "), {
    hint: `Nothing was changed. ${hint}`,
  });
}
