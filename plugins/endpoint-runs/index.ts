import { defineEndpoints, definePlugin } from "@pergola/sdk";
import { cancelRun, cancelRunByPost } from "./routes/cancel-run.ts";
import { getRun } from "./routes/get-run.ts";
import { listRuns } from "./routes/list-runs.ts";
import { resumeRun } from "./routes/resume-run.ts";

export const runs = defineEndpoints({
  group: "runs",
  routes: [listRuns, getRun, cancelRun, cancelRunByPost, resumeRun],
});

export default definePlugin({ endpoints: [runs] });
