import { countOf, toolDisplay, type ToolDisplay } from "@pergola/sdk";

/** What a person sees of a call: what is done, and to how many to-dos; `todos` names each of them. */
export const card = (action: string, todos: readonly string[] = []): Partial<ToolDisplay> =>
  toolDisplay(action, todos.length > 0 ? countOf(todos.length, "to-do") : "", "list-checks", todos);
