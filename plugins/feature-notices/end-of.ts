import type { RunRecord } from "@pergola/sdk";
import type { Notice } from "@pergola/sdk/host";

const types: Readonly<Record<NonNullable<RunRecord["completionReason"]>, Notice["type"]>> = {
  workflow_complete: "response.completed",
  max_iterations_reached: "response.incomplete",
  cancelled: "response.cancelled",
  tool_execution_failed: "response.failed",
  error: "response.failed",
};

/** The notice of a run's end; undefined for a run whose client waits for it. */
export function endOf({ id, conversationId, completionReason, annotations }: RunRecord): Notice | undefined {
  if (annotations?.["background"] !== true || completionReason === null) return undefined;
  return { type: types[completionReason], id: id.replace("run_", "resp_"), conversationId, runId: id };
}
