import { wireRun, type Route } from "@pergola/sdk";
import { runParameter, runSchema } from "../schemas.ts";

export const resumeRun: Route = {
  method: "POST",
  path: "/api/runs/{runId}/resume",
  summary: "Go on with a run that the service's stop has interrupted",
  params: runParameter,
  response: runSchema,
  handle: async ({ params }, { runs }) => ({ body: wireRun(await runs.resume(params["runId"] ?? "")) }),
};
