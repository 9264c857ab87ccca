import { defineOperation } from "@pergola/sdk";
import { card, sessionId } from "../parameters.ts";
import { rememberCommand } from "../sessions/last-command.ts";
import { report, statusSentence } from "../sessions/report.ts";
import { sessions } from "../sessions/sessions.ts";

/** Milliseconds for which the answer to an input is waited for. */
const answer = { quiet: 250, most: 3000 };

export const sendInput = defineOperation({
  name: "send_input",
  description: "Type into a session, and press Enter unless the input ends with a control character.",
  effect: "execute",
  recovery: "once",
  hidden: true,
  parameters: {
    session_id: sessionId,
    input: {
      type: "string",
      maxLength: 100_000,
      description: "Text, or a control character such as \\u0003",
      aliases: ["text", "command"],
    },
  },
  required: ["session_id", "input"],
  display: ({ session_id: id, input }) => card("Type", input.trim(), [`in ${id}`]),
  preview: ({ input }) => ({ command: { line: input } }),
  async run({ session_id: id, input }, context) {
    const session = await sessions.find(context, id);
    const from = session.length;
    await session.type(input);
    if (input.trim() !== "")
      rememberCommand(context.scope, {
        command: input.trim(),
        working_directory: session.facts.folder,
        exitCode: null,
      });
    await session.settled(context.signal, answer);
    return { data: report(session, from), message: `${statusSentence(session)} Later output: get_output.` };
  },
});
