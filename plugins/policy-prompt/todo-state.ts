import type { Todo } from "@pergola/sdk";

/** Characters of a title. */
const titleLength = 120;

/** To-dos that are named. */
const most = 30;

function shortened(title: string): string {
  if (title.length <= titleLength) return title;
  return `${title.slice(0, titleLength).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

const named = ({ id, title, status }: Todo): string => `${id}. ${shortened(title)} (${status})`;

/** How far a list is, and what is left of it, what is under way first; empty when there is no list. */
export function todoState(todos: readonly Todo[]): string {
  if (todos.length === 0) return "";
  const left = todos
    .filter(({ status }) => status !== "completed")
    .toSorted((a, b) => Number(b.status === "in-progress") - Number(a.status === "in-progress"));
  const parts = [
    `${todos.length - left.length}/${todos.length} completed`,
    ...left.slice(0, most).map(named),
  ];
  if (left.length > most) parts.push(`and ${left.length - most} more`);
  return parts.join("; ");
}
