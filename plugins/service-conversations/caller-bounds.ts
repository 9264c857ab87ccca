import { AppError, type Caller, type ConversationFields } from "@pergola/sdk";

/** Throws `insufficient_scope` for tools that a caller without the scope for them switches on or off. */
export function checkSwitches({ settings }: ConversationFields, { scopes }: Caller): void {
  if (settings?.toolOverrides === undefined || scopes.includes("tools")) return;
  const message = 'This token may not switch tools: it lacks the scope "tools". Use one that has it.';
  throw new AppError({ code: "insufficient_scope", message, details: { scope: "tools" } });
}

/** Where new conversations of a caller work who may not work anywhere else. */
export function usualDirectory({ root }: Caller): Pick<ConversationFields, "workingDirectory"> {
  return root === null ? {} : { workingDirectory: root };
}
