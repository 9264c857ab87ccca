import { defineOperation } from "@pergola/sdk";
import { card, sessionId } from "../parameters.ts";
import { report, statusSentence } from "../sessions/report.ts";
import { sessions } from "../sessions/sessions.ts";

export const getTaskOutput = defineOperation({
  name: "get_task_output",
  description: "Read a task's output.",
  effect: "read",
  hidden: true,
  parameters: {
    id: { ...sessionId, description: "The id that starting the task gave, or its label", aliases: ["label"] },
  },
  required: ["id"],
  display: ({ id }) => card("Read output", id),
  async run({ id }, context) {
    const session = await sessions.find(context, (await sessions.newestNamed(context, id))?.facts.id ?? id);
    const { session_id: found, status, exitCode, output } = report(session);
    return {
      data: { id: found, label: session.facts.name, status, exitCode, output },
      message: statusSentence(session),
    };
  },
});
