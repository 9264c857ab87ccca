import type { ToolCallSummary } from "@pergola/sdk";
import { canonicalJson, type AuditFact, type Parts } from "@pergola/sdk/host";
import { hashOf } from "./hash.ts";

const effects = new Set(["write", "destructive", "execute"]);

/**
 * A call that changes something, as the audit has it: never what it was given or what it gave, only a digest.
 * Undefined for calls that change nothing.
 */
export async function callFact(
  { call, context, result }: ToolCallSummary,
  { stores }: Parts,
): Promise<AuditFact | undefined> {
  if (!effects.has(call.effect)) return undefined;
  const [approval] = await stores.approvals.find({ toolCallId: call.id }, { limit: 1 });
  const asked = approval === undefined ? "" : ` ${approval.id}`;
  const digest = hashOf(canonicalJson(call.arguments));
  return {
    action: "tool.call",
    target: `${call.tool}.${call.operation} sha256:${digest}${asked}`,
    outcome: result.success ? "done" : (result.error_code ?? "failed"),
    caller: context.caller,
  };
}
