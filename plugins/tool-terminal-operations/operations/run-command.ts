import { defineOperation, ToolError, type OperationResult, type ToolContext } from "@pergola/sdk";
import { placeOf, type Place } from "../command/place.ts";
import { runInBackground } from "../command/run-in-background.ts";
import { runToEnd, type CommandEnd } from "../command/run-to-end.ts";
import { card, command, workingDirectory } from "../parameters.ts";
import { rememberCommand, rememberSession } from "../sessions/last-command.ts";
import { statusSentence } from "../sessions/report.ts";
import { settingsOf } from "../settings.ts";
import { excerpt } from "../text/excerpt.ts";

/** Milliseconds for which a background command's first output is waited for. */
const firstOutput = { quiet: 300, most: 1000 };

export const runCommand = defineOperation({
  name: "run_command",
  aliases: ["exec", "execute", "shell"],
  description: "Run a shell command on this computer.",
  effect: "execute",
  recovery: "once",
  timeoutSeconds: 660,
  parameters: {
    command,
    explanation: { type: "string", default: "", description: "What it does and why, in one sentence" },
    timeout: { type: "number", minimum: 0.1, maximum: 600, default: 120, description: "Seconds" },
    unsandboxed: {
      type: "boolean",
      default: false,
      description: "Outside of the sandbox, if it cannot work in it; explain why: the person is always asked",
    },
    isBackground: { type: "boolean", default: false, description: "Leave it running, such as a server" },
    working_directory: workingDirectory,
  },
  required: ["command", "explanation"],
  display({ command: line, explanation, working_directory: folder, unsandboxed }) {
    const details = [line];
    if (unsandboxed) details.push("without the sandbox: with all your rights");
    if (explanation !== "") details.push(explanation);
    if (folder !== ".") details.push(`in ${folder}`);
    return card("Run", line, details);
  },
  preview: ({ command: line, timeout, isBackground, working_directory: folder }, context) => ({
    command: {
      line,
      shell: settingsOf(context).shell,
      workingDirectory: folder,
      timeoutSeconds: isBackground ? null : timeout,
    },
  }),
  examples: [
    { say: "run ls -la", arguments: { command: "ls -la", explanation: "List the files" } },
    {
      say: "execute npm test in packages/api",
      arguments: { command: "npm test", explanation: "Run the tests", working_directory: "packages/api" },
    },
    {
      say: "start npm run dev in the background",
      arguments: { command: "npm run dev", explanation: "Start the server", isBackground: true },
    },
    {
      say: "run make and give it 600 seconds",
      arguments: { command: "make", explanation: "Build", timeout: 600 },
    },
    {
      say: "execute the command uptime",
      arguments: { command: "uptime", explanation: "See how long it runs" },
    },
    { say: "in the terminal, run pwd", arguments: { command: "pwd", explanation: "Show the folder" } },
    { say: "open a terminal and run date", arguments: { command: "date", explanation: "Show the date" } },
    { say: "run this in the shell: date", arguments: { command: "date", explanation: "Show the date" } },
    { say: "run cargo check", arguments: { command: "cargo check", explanation: "Check the code" } },
    { say: "please run this command: pwd", arguments: { command: "pwd", explanation: "Show the folder" } },
  ],
  async run(
    { command: line, explanation, timeout, isBackground, unsandboxed, working_directory: folder },
    context,
  ) {
    if (unsandboxed && explanation.trim() === "") throw unexplained;
    const place = await placeOf(context, folder, unsandboxed);
    if (isBackground) return background(context, place, line);
    return foreground(context, place, line, timeout);
  },
});

const unexplained = new ToolError(
  "invalid_value",
  "A command outside of the sandbox needs an explanation of why it cannot work inside.",
  { hint: "Give it as explanation, or leave unsandboxed out." },
);

async function foreground(
  context: ToolContext,
  place: Place,
  command: string,
  timeout: number,
): Promise<OperationResult> {
  const end = await runToEnd(context, place, command, timeout);
  const { output, exitCode, timedOut } = end;
  rememberCommand(context.scope, {
    command,
    working_directory: place.folder,
    exitCode: timedOut ? null : exitCode,
  });
  if (timedOut) throw tooLate(end, timeout);
  const sentences = [`Exit code ${exitCode ?? "unknown"}.`];
  if (end.truncated) sentences.push("Only the beginning of its output was kept.");
  return { data: output, message: sentences.join(" "), fields: { exitCode, timedOut } };
}

const tooLate = ({ output, exitCode }: CommandEnd, timeout: number): ToolError =>
  new ToolError(
    "timeout",
    `The command took longer than ${timeout} s and was ended. Its output until then:\n${excerpt(output)}`,
    {
      hint:
        "Call again with a larger timeout (at most 600), or with isBackground true for what does " +
        "not end by itself.",
      fields: { exitCode, timedOut: true },
    },
  );

async function background(context: ToolContext, place: Place, command: string): Promise<OperationResult> {
  const session = await runInBackground(context, place, command, command.slice(0, 100));
  await session.settled(context.signal, firstOutput);
  rememberSession(session);
  const { id } = session.facts;
  return {
    data: session.read().output,
    message:
      `${statusSentence(session)} More of its output: operation get_output with session_id ${id}. To ` +
      "end it: close_session.",
    fields: { exitCode: session.exitCode ?? null, timedOut: false, sessionId: id },
  };
}
