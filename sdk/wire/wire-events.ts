import type { ApprovalRecord, RunEvent, ToolEvent } from "../contract/run.ts";
import { defined } from "../util/defined.ts";
import { pick } from "../util/pick.ts";

const tool = (event: ToolEvent) =>
  defined({
    isToolMessage: true,
    toolExecutionId: event.callId,
    toolName: event.tool,
    toolOperation: event.operation,
    toolStatus: event.status,
    toolDisplayData: { ...event.display, status: event.status, metadata: event.metadata ?? {} },
    toolDetails: event.details,
    toolIcon: event.display.icon,
    parentToolName: event.parentTool,
    toolMetadata: event.metadata,
  });

const question = (approval: ApprovalRecord) =>
  defined({
    ...pick(
      approval,
      "toolCallId",
      "runId",
      "conversationId",
      "kind",
      "prompt",
      "context",
      "tool",
      "operation",
      "arguments",
      "paths",
      "options",
      "preview",
      "expiresAt",
    ),
    approvalId: approval.id,
    authorize_operation: approval.authorizeOperation,
    parentToolName: approval.parentTool,
  });

const closed = (approval: ApprovalRecord) => ({
  ...pick(approval, "toolCallId", "status", "decision"),
  approvalId: approval.id,
});

/**
 * The keys under which a stream carries what its format has no event for: tools at work, questions to the
 * person, titles, limits. Questions always travel, the rest only where tool events are wanted. undefined for
 * events that formats have.
 */
export function extensionFields(
  event: RunEvent,
  { toolEvents }: { readonly toolEvents: boolean },
): object | undefined {
  if (event.type === "question")
    return { event: { type: "user_input_required", ...question(event.approval) } };
  if (event.type === "question_closed")
    return { event: { type: "user_input_resolved", ...closed(event.approval) } };
  if (!toolEvents) return undefined;
  if (event.type === "tool") return tool(event);
  if (event.type === "title") return { event: { type: "title", title: event.title } };
  if (event.type !== "limit_changed") return undefined;
  return { event: { type: "limit_changed", max_iterations: event.maxIterations } };
}
