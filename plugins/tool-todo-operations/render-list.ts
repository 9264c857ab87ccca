import type { Status, Todo } from "./todo.ts";

const groups: readonly (readonly [Status, string])[] = [
  ["in-progress", "IN PROGRESS"],
  ["blocked", "BLOCKED"],
  ["not-started", "NOT STARTED"],
  ["completed", "COMPLETED"],
];

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

function lineOf({
  id,
  title,
  description = "",
  priority,
  dependencies = [],
  canRunParallel,
  parallelGroup,
  progress,
  ...todo
}: Todo): string {
  const facts = [
    priority !== undefined && `${priority} priority`,
    progress !== undefined && `${Math.round(progress * 100)} %`,
    dependencies.length > 0 && `depends on ${dependencies.join(", ")}`,
    canRunParallel === true && "can run parallel",
    parallelGroup !== undefined && `group ${oneLine(parallelGroup)}`,
    todo.blockedReason !== undefined && `blocked: ${oneLine(todo.blockedReason)}`,
  ];
  const known = facts.filter(Boolean).join("; ");
  const heading = [`${id}. ${oneLine(title)}`, known && ` (${known})`].join("");
  return [heading, oneLine(description)].filter(Boolean).join("\n   ");
}

/** `n/m completed`. */
export const tally = (items: readonly Todo[]): string =>
  `${items.filter(({ status }) => status === "completed").length}/${items.length} completed`;

/**
 * The list for a model: groups with a title each, what is under way first, then the tally. Empty groups are
 * left out.
 */
export function renderList(items: readonly Todo[]): string {
  const filled = groups.map(([status, title]) => ({
    title,
    lines: items.filter((item) => item.status === status).map(lineOf),
  }));
  const texts = filled
    .filter(({ lines }) => lines.length > 0)
    .map(({ title, lines }) => [title, ...lines].join("\n"));
  return [...texts, tally(items)].join("\n\n");
}
