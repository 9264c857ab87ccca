import { wireRun, type Route } from "@pergola/sdk";
import { runParameter, runSchema } from "../schemas.ts";

export const getRun: Route = {
  method: "GET",
  path: "/api/runs/{runId}",
  summary: "Show a run",
  params: runParameter,
  response: runSchema,
  handle: async ({ params }, { runs }) => ({ body: wireRun(await runs.get(params["runId"] ?? "")) }),
};
