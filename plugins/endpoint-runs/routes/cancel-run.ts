import type { Route } from "@pergola/sdk";
import { runParameter, runStates } from "../schemas.ts";

/** Cancels a run; it is answered once the wish is recorded, which may be before the run has stopped. */
export const cancelRun: Route = {
  method: "DELETE",
  path: "/api/runs/{runId}",
  summary: "Cancel a run",
  params: runParameter,
  response: {
    type: "object",
    properties: { success: { const: true }, runId: { type: "string" }, status: { enum: runStates } },
  },
  async handle({ params }, { runs }) {
    const { id: runId, status } = await runs.cancel(params["runId"] ?? "");
    return { status: 202, body: { success: true, runId, status } };
  },
};

export const cancelRunByPost: Route = { ...cancelRun, method: "POST", path: "/api/runs/{runId}/cancel" };
