import { defineEndpoints, definePlugin } from "@pergola/sdk";
import { listChanges } from "./routes/list-changes.ts";
import { listRunChanges } from "./routes/list-run-changes.ts";
import { revertRun } from "./routes/revert-run.ts";

export const changes = defineEndpoints({
  group: "changes",
  routes: [listChanges, listRunChanges, revertRun],
});

export default definePlugin({ endpoints: [changes] });
