import { defineOperation } from "@pergola/sdk";
import { card, sessionId } from "../parameters.ts";
import { statusSentence } from "../sessions/report.ts";
import { sessions } from "../sessions/sessions.ts";

export const getTerminalOutput = defineOperation({
  name: "get_terminal_output",
  description: "Read all that is kept of a session's output, as text.",
  effect: "read",
  hidden: true,
  parameters: { id: { ...sessionId, aliases: ["session_id"] } },
  required: ["id"],
  display: ({ id }) => card("Read output", id),
  async run({ id }, context) {
    const session = await sessions.find(context, id);
    return {
      data: session.read().output,
      message: statusSentence(session),
      fields: { sessionId: id, status: session.status, exitCode: session.exitCode ?? null },
    };
  },
});
