import type { CallContext, PendingCall, Verdict } from "@pergola/sdk";

/** Undefined leaves the decision to the next policy. */
export function authorize(
  { tool, operation }: Pick<PendingCall, "tool" | "operation">,
  { userInitiated }: Pick<CallContext, "userInitiated">,
  closedTools: readonly string[],
): Verdict | undefined {
  if (userInitiated || !closedTools.includes(tool)) return undefined;
  const message = `${tool}.${operation} is closed. Go on without it.`;
  return { decision: "deny", code: "permission_denied", message };
}
