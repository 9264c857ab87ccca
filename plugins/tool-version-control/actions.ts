import { ToolError, type Effect, type OperationResult, type ToolContext } from "@pergola/sdk";
import { openRepository } from "./git/open-repository.ts";
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

interface ActionCall extends ActionArguments {
  readonly repository_path: string;
}

/** What an action does: answers with the text for the model. */
export type ActionTable = Partial<
  Record<Action, (repository: Repository, args: ActionArguments) => Promise<string>>
>;

/** What an action changes; "read" where nothing is said. */
export type ActionEffects = Partial<Record<Action, Effect>>;

/**
 * What the operations with actions have in common. A call throws ToolError `invalid_value` for an action that
 * only other operations have.
 */
export const actions = (effects: ActionEffects, table: ActionTable) =>
  ({
    effect: ({ action }: ActionArguments) => effects[action] ?? "read",
    effects: ["read", "write", "destructive"],
    place: "paths",
    recovery: "once",
    async run(
      { repository_path: folder, ...args }: ActionCall,
      context: ToolContext,
    ): Promise<OperationResult> {
      const act = table[args.action];
      if (act !== undefined) return { data: await act(await openRepository(context, folder), args) };
      throw new ToolError("invalid_value", `action: "${args.action}" does not belong to this operation.`, {
        hint: `Allowed: ${Object.keys(table).join(", ")}.`,
      });
    },
  }) as const;
