import { defineOperation } from "@pergola/sdk";
import { card, sessionId } from "../parameters.ts";
import { sessions } from "../sessions/sessions.ts";

export const closeSession = defineOperation({
  name: "close_session",
  description: "End a session and everything that runs in it.",
  effect: "execute",
  recovery: "repeat",
  hidden: true,
  parameters: { session_id: sessionId },
  required: ["session_id"],
  display: ({ session_id: id }) => card("Close a session", id),
  async run({ session_id: id }, context) {
    const session = await sessions.find(context, id);
    await sessions.close(session);
    return {
      data: { session_id: id, status: "closed", exitCode: session.exitCode ?? null },
      message: `Session ${id} is closed.`,
    };
  },
});
