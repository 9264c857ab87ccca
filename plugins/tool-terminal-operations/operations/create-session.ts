import { missingExtra } from "@pergola/kit-extras";
import { defineOperation, ToolError } from "@pergola/sdk";
import { shellLine } from "../command/command-line.ts";
import { placeOf } from "../command/place.ts";
import { startSandboxed } from "../command/start-sandboxed.ts";
import { card, workingDirectory } from "../parameters.ts";
import { startTerminal } from "../process/start-terminal.ts";
import type { Session } from "../sessions/session.ts";
import { sessions } from "../sessions/sessions.ts";
import { settingsOf } from "../settings.ts";

/** Milliseconds for which the shell's first prompt is waited for. */
const prompt = { quiet: 150, most: 1000 };

export const createSession = defineOperation({
  name: "create_session",
  description: "Open a shell that keeps its state between calls.",
  effect: "execute",
  recovery: "repeat",
  hidden: true,
  parameters: {
    working_directory: workingDirectory,
    conversation_id: {
      type: "string",
      description: "Ignored: a session belongs to the conversation or topic that opens it",
    },
    name: { type: "string", maxLength: 200, default: "", description: "What to call it" },
  },
  display: ({ name }) => card("Open a shell", name),
  preview: ({ working_directory: folder }, context) => ({
    command: { line: shellLine(settingsOf(context)).program, workingDirectory: folder },
  }),
  async run({ working_directory: folder, name }, context) {
    const place = await placeOf(context, folder);
    const line = shellLine(settingsOf(context));
    const session = await sessions.open(context, { name, folder: place.folder, command: "" }, (launch) =>
      startSandboxed(context, { ...line, ...launch }, place, startTerminal),
    );
    const { hasTerminal } = await session.started();
    await session.settled(context.signal, prompt);
    if (session.status === "ended") throw await noShell(session, line.program);
    const { id } = session.facts;
    const message = `Session ${id} is open${hasTerminal ? "" : limits()}. Next: send_input.`;
    return {
      data: { session_id: id, status: session.status, working_directory: place.folder, message },
      message,
    };
  },
});

/** What a session on pipes cannot do; with the remedy, where there is one. */
function limits(): string {
  const lack = ", without a terminal: no echo, no control keys";
  const missing = missingExtra("terminals", import.meta.url);
  return missing === undefined ? lack : `${lack}. ${missing.replace(/\.$/, "")}`;
}

/** A terminal always starts; a program that is missing shows only by its early end. */
async function noShell(session: Session, program: string): Promise<ToolError> {
  await sessions.close(session);
  const reason = session.read().output.trim() || "it may not be installed";
  return new ToolError("unavailable", `"${program}" ended at once: ${reason}`, {
    hint: "Tell the person: the program of tools.terminal.shell may be missing.",
  });
}
