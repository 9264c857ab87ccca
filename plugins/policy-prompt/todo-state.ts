import type { Todo } from "@pergola/sdk";

/** Characters of a title, and to-dos that are named. */
const [titleLength, most] = [120, 30];

const named = ({ id, title, status }: Todo): string => {
  const short =
    title.length <= titleLength ? title : `${title.slice(0, titleLength).replace(/[\uD800-\uDBFF]$/, "")}…`;
  return `${id}. ${short} (${status})`;
};

/** How far a list is, and what is left of it, what is under way first; empty when there is no list. */
export function todoState(todos: readonly Todo[]): string {
  if (todos.length === 0) return "";
  const left = todos.filter(({ status }) => status !== "completed");
  const ordered = [
    ...left.filter(({ status }) => status === "in-progress"),
    ...left.filter(({ status }) => status !== "in-progress"),
  ];
  const more = ordered.length > most ? [`and ${ordered.length - most} more`] : [];
  return [
    `${todos.length - left.length}/${todos.length} completed`,
    ...ordered.slice(0, most).map(named),
    ...more,
  ].join("; ");
}
