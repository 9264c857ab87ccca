import { isDeepStrictEqual } from "node:util";
import type { Todo } from "./todo.ts";

export type TodoUpdate = Pick<Todo, "id"> & Partial<Todo>;

interface Updated {
  readonly items: readonly Todo[];
  /** Ids of to-dos that changed. */
  readonly applied: readonly number[];
  readonly failed: readonly { readonly id: number; readonly reason: string }[];
  /** Ids of to-dos that were so already. */
  readonly redundant: readonly number[];
}

/** The reason of a block goes with the block. */
const merged = (todo: Todo, update: TodoUpdate): Todo => {
  const { blockedReason, ...rest } = { ...todo, ...update };
  return rest.status === "blocked" && blockedReason !== undefined ? { ...rest, blockedReason } : rest;
};

/**
 * The list with the updates made in their order; updates of what is not in the list fail. `items` is the same
 * list if nothing changed.
 */
export function applyUpdates(items: readonly Todo[], updates: readonly TodoUpdate[]): Updated {
  const after = new Map(items.map((todo) => [todo.id, todo]));
  for (const update of updates) {
    const todo = after.get(update.id);
    if (todo !== undefined) after.set(update.id, merged(todo, update));
  }
  const changed = new Set(
    items.filter((todo) => !isDeepStrictEqual(todo, after.get(todo.id))).map(({ id }) => id),
  );
  const ids = [...new Set(updates.map(({ id }) => id))];
  return {
    items: changed.size === 0 ? items : [...after.values()],
    applied: ids.filter((id) => changed.has(id)),
    failed: ids.filter((id) => !after.has(id)).map((id) => ({ id, reason: `There is no to-do ${id}.` })),
    redundant: ids.filter((id) => after.has(id) && !changed.has(id)),
  };
}
