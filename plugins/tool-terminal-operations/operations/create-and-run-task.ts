import { defineOperation, type ToolContext } from "@pergola/sdk";
import { placeOf, type Place } from "../command/place.ts";
import { card, command } from "../parameters.ts";
import { settingsOf } from "../settings.ts";
import { saveTask, startTask } from "../tasks/tasks.ts";

/** A word as the shell reads it back. */
function quote(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

const lineOf = ({ command: program, args = [] }: Program): string => [program, ...args.map(quote)].join(" ");

interface Program {
  readonly command: string;
  readonly args?: readonly string[];
}

/** The folder, or the working directory when it is not there. */
async function folderOf(context: ToolContext, folder: string): Promise<Place> {
  const exists = (await context.files.stat(folder)) !== undefined;
  return placeOf(context, exists ? folder : ".");
}

export const createAndRunTask = defineOperation({
  name: "create_and_run_task",
  description: "Keep a command under a label and run it in the background.",
  effect: "execute",
  recovery: "once",
  hidden: true,
  parameters: {
    task: {
      type: "object",
      description: "The task",
      properties: {
        label: { type: "string", minLength: 1, maxLength: 200 },
        type: { type: "string", description: "Not needed: every task is run by the shell" },
        command,
        args: {
          type: "array",
          items: { type: "string" },
          description: "Added to the command, each as one word",
        },
      },
      required: ["label", "command"],
    },
    workspaceFolder: { type: "string", format: "path", default: ".", description: "Where to run it" },
  },
  required: ["task"],
  examples: [
    {
      say: "run the task list that lists this folder",
      arguments: { task: { label: "list", type: "shell", command: "ls" } },
    },
  ],
  display: ({ task }) => card("Run task", task.label, [task.command, ...(task.args ?? [])]),
  preview: ({ task, workspaceFolder }, context) => ({
    command: { line: lineOf(task), shell: settingsOf(context).shell, workingDirectory: workspaceFolder },
  }),
  async run({ task: { label, ...program }, workspaceFolder }, context) {
    const place = await folderOf(context, workspaceFolder);
    const task = { label, command: lineOf(program), folder: place.folder };
    await saveTask(context, task);
    return startTask(context, task, place);
  },
});
