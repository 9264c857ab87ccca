import { countOf, toolDisplay } from "@pergola/sdk";

/** What a person sees of a call: what is done, and to how many to-dos; `todos` names each of them. */
export function card(action: string, todos: readonly string[] = []) {
  const subject = todos.length > 0 ? countOf(todos.length, "to-do") : "";
  return toolDisplay(action, subject, "list-checks", todos);
}
