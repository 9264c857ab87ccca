import { definePlugin, defineTool } from "@pergola/sdk";
import { closeSession } from "./operations/close-session.ts";
import { createAndRunTask } from "./operations/create-and-run-task.ts";
import { createDirectory } from "./operations/create-directory.ts";
import { createSession } from "./operations/create-session.ts";
import { getHistory } from "./operations/get-history.ts";
import { getLastCommand } from "./operations/get-last-command.ts";
import { getOutput } from "./operations/get-output.ts";
import { getTaskOutput } from "./operations/get-task-output.ts";
import { getTerminalBuffer } from "./operations/get-terminal-buffer.ts";
import { getTerminalOutput } from "./operations/get-terminal-output.ts";
import { getTerminalSelection } from "./operations/get-terminal-selection.ts";
import { runCommand } from "./operations/run-command.ts";
import { runTask } from "./operations/run-task.ts";
import { sendInput } from "./operations/send-input.ts";
import { validate } from "./operations/validate.ts";
import { sessions } from "./sessions/sessions.ts";
import { unavailable } from "./unavailable.ts";

/** Operations that one other name takes, too; its others belong to version control. */
const tasks = ["create_and_run_task", "run_task", "get_task_output"];
const bareNames = ["shell", "exec", "terminal_exec", "run_command"];

export const terminalOperations = defineTool({
  name: "terminal_operations",
  description: "Run shell commands on this computer.",
  icon: "terminal",
  aliases: {
    ...Object.fromEntries(bareNames.map((name) => [name, "run_command"])),
    ...Object.fromEntries(tasks.map((name) => [`build_and_version_control.${name}`, name])),
  },
  operations: [
    runCommand,
    validate,
    createDirectory,
    createSession,
    sendInput,
    getOutput,
    getHistory,
    closeSession,
    getTerminalOutput,
    getTerminalBuffer,
    getLastCommand,
    getTerminalSelection,
    createAndRunTask,
    runTask,
    getTaskOutput,
  ],
  unavailable,
});

export default definePlugin({
  tools: [terminalOperations],
  collections: { tasks: { indexes: ["scope"] } },
  start: () => sessions.start(),
  stop: () => sessions.stop(),
});
