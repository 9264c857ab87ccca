import { defineOperation } from "@pergola/sdk";
import { card, sessionId } from "../parameters.ts";
import { report, statusSentence } from "../sessions/report.ts";
import { sessions } from "../sessions/sessions.ts";

export const getOutput = defineOperation({
  name: "get_output",
  description: "Read a session's output.",
  effect: "read",
  hidden: true,
  parameters: {
    session_id: sessionId,
    from_index: {
      type: "integer",
      minimum: 0,
      default: 0,
      description: "Where to begin: next_index of the call before",
    },
  },
  required: ["session_id"],
  display: ({ session_id: id }) => card("Read output", id),
  async run({ session_id: id, from_index: from }, context) {
    const session = await sessions.find(context, id);
    const found = report(session, from);
    const missing = found.from_index - from;
    const sentences = [statusSentence(session)];
    if (missing > 0) sentences.push(`The ${missing} characters before are no longer kept.`);
    return { data: found, message: sentences.join(" ") };
  },
});
