import { ToolError } from "@pergola/sdk";
import type { Repository } from "./git/repository.ts";
import type { Action } from "./parameters.ts";

/** What the operations with actions take. */
export interface ActionArguments {
  readonly action: Action;
  readonly name?: string;
  readonly message?: string;
  readonly ref?: string;
  readonly index?: number;
}

/** What an action does: answers with the text for the model. */
export type ActionTable = Partial<
  Record<Action, (repository: Repository, args: ActionArguments) => Promise<string>>
>;

/**
 * Runs one of an operation's actions. Throws ToolError `invalid_value` for one that only other operations
 * have.
 */
export async function runAction(
  table: ActionTable,
  repository: Repository,
  args: ActionArguments,
): Promise<string> {
  const act = table[args.action];
  if (act !== undefined) return act(repository, args);
  const allowed = Object.keys(table).join(", ");
  throw new ToolError("invalid_value", `action: "${args.action}" does not belong to this operation.`, {
    hint: `Allowed: ${allowed}.`,
  });
}
