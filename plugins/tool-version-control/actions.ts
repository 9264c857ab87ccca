import { ToolError } from "@pergola/sdk";
import type { Repository } from "./git/repository.ts";
import type { Action } from "./parameters.ts";

/** What an action does: answers with the text for the model. */
export type ActionTable<A> = Partial<Record<Action, (repository: Repository, args: A) => Promise<string>>>;

/**
 * Runs one of an operation's actions. Throws ToolError `invalid_value` for one that only other operations
 * have.
 */
export async function runAction<A extends { readonly action: Action }>(
  table: ActionTable<A>,
  repository: Repository,
  args: A,
): Promise<string> {
  const act = table[args.action];
  if (act !== undefined) return act(repository, args);
  const allowed = Object.keys(table).join(", ");
  throw new ToolError("invalid_value", `action: "${args.action}" does not belong to this operation.`, {
    hint: `Allowed: ${allowed}.`,
  });
}
