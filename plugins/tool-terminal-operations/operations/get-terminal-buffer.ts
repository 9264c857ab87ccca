import { defineOperation } from "@pergola/sdk";
import { card } from "../parameters.ts";
import { statusSentence } from "../sessions/report.ts";
import { sessions } from "../sessions/sessions.ts";

/** Lines that count as what can be seen. */
const lines = 200;

export const getTerminalBuffer = defineOperation({
  name: "get_terminal_buffer",
  description: "Read the last lines of the newest session.",
  effect: "read",
  hidden: true,
  parameters: {},
  display: () => card("Read the terminal", ""),
  async run(_, context) {
    const session = await sessions.newest(context);
    if (session === undefined) return { data: "", message: "There is no session." };
    const { id: sessionId } = session.facts;
    return {
      data: session.read().output.split("\n").slice(-lines).join("\n"),
      message: statusSentence(session),
      fields: { sessionId },
    };
  },
});
