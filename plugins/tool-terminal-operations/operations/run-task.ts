import { defineOperation } from "@pergola/sdk";
import { placeOf } from "../command/place.ts";
import { card } from "../parameters.ts";
import { findTask, startTask } from "../tasks/tasks.ts";

export const runTask = defineOperation({
  name: "run_task",
  description: "Run a task again.",
  effect: "execute",
  recovery: "once",
  hidden: true,
  parameters: { label: { type: "string", minLength: 1, description: "The task's label", aliases: ["id"] } },
  required: ["label"],
  display: ({ label }) => card("Run task", label),
  async run({ label }, context) {
    const task = await findTask(context, label);
    return startTask(context, task, await placeOf(context, task.folder));
  },
});
