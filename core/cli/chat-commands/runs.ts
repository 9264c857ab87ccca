import { listRuns } from "../runs.ts";
import type { ChatCommand } from "./chat-command.ts";

export const runs: ChatCommand = {
  names: ["runs"],
  summary: "list the last runs, and what they changed",
  async run({ service, options }) {
    await listRuns(service, { ...options, limit: 10 });
    return undefined;
  },
};
