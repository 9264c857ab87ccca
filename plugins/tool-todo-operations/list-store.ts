import type { ToolContext } from "@pergola/sdk";
import type { Todo } from "./todo.ts";

/** The to-dos of one conversation; `id` is the conversation's. */
export interface TodoList {
  readonly id: string;
  readonly items: readonly Todo[];
  /** The run that changed it last. */
  readonly runId: string | null;
}

const tails = new Map<string, Promise<unknown>>();

const listsOf = (context: ToolContext) => context.collection<TodoList>("lists");

export async function readTodos(context: ToolContext): Promise<readonly Todo[]> {
  return (await listsOf(context).get(context.conversationId))?.items ?? [];
}

/**
 * Gives the conversation's to-dos to `change` and stores what it returns. Changes of one conversation are
 * made one after the other, so that none is lost; one that throws stores nothing.
 */
export async function changeTodos<T>(
  context: ToolContext,
  change: (items: readonly Todo[]) => { readonly items: readonly Todo[]; readonly result: T },
): Promise<T> {
  const { conversationId: id } = context;
  const make = async (): Promise<T> => {
    const before = await readTodos(context);
    const { items, result } = change(before);
    if (items !== before) await listsOf(context).put({ id, items, runId: context.run?.id ?? null });
    return result;
  };
  const changed = (tails.get(id) ?? Promise.resolve()).then(make);
  const settled = changed.catch(() => undefined);
  tails.set(id, settled);
  await settled;
  if (tails.get(id) === settled) tails.delete(id);
  return changed;
}
