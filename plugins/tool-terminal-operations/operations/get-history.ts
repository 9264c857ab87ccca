import { defineOperation } from "@pergola/sdk";
import { card, sessionId } from "../parameters.ts";
import { sessions } from "../sessions/sessions.ts";

export const getHistory = defineOperation({
  name: "get_history",
  description: "List what was typed into a session.",
  effect: "read",
  hidden: true,
  parameters: { session_id: sessionId },
  required: ["session_id"],
  display: ({ session_id: id }) => card("Read history", id),
  async run({ session_id: id }, context) {
    const { facts, typed, status } = await sessions.find(context, id);
    const history = typed.map(({ at, input }) => ({ time: new Date(at).toISOString(), input }));
    return { data: { session_id: id, name: facts.name, status, history } };
  },
});
