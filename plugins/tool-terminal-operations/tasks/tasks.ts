import { ToolError, type Entity, type ToolContext } from "@pergola/sdk";
import type { Place } from "../command/place.ts";
import { runInBackground } from "../command/run-in-background.ts";
import { rememberSession } from "../sessions/last-command.ts";
import { report, statusSentence } from "../sessions/report.ts";

/** A command with a name, kept for its scope until another takes the name. */
interface Task extends Entity {
  readonly scope: string;
  readonly label: string;
  readonly command: string;
  readonly folder: string;
}

type NewTask = Pick<Task, "label" | "command" | "folder">;

/** Milliseconds for which a task is waited for before it counts as one that takes longer. */
const firstOutput = { quiet: 1000, most: 5000 };
/** Labels that a failure names. */
const named = 10;

const tasksOf = (context: ToolContext) => context.collection<Task>("tasks");
const idOf = (scope: string, label: string): string => JSON.stringify([scope, label]);

export async function saveTask(context: ToolContext, task: NewTask): Promise<void> {
  await tasksOf(context).put({ ...task, id: idOf(context.scope, task.label), scope: context.scope });
}

/** Throws ToolError `not_found`, naming the tasks that there are. */
export async function findTask(context: ToolContext, label: string): Promise<Task> {
  const task = await tasksOf(context).get(idOf(context.scope, label));
  if (task !== undefined) return task;
  const others = await tasksOf(context).find({ scope: context.scope }, { limit: named });
  const labels = others.map((one) => one.label).join(", ");
  const hint = (labels && `Tasks: ${labels}.`) || "Make one with create_and_run_task.";
  throw new ToolError("not_found", `Task "${label}" was not found.`, { hint });
}

/** Starts a task as a background session, whose id reads its output. */
export async function startTask(context: ToolContext, { label, command }: NewTask, place: Place) {
  const session = await runInBackground(context, place, command, label);
  await session.settled(context.signal, firstOutput);
  rememberSession(session);
  const { session_id: id, status, exitCode, output } = report(session);
  return {
    data: { id, label, working_directory: place.folder, status, exitCode, output },
    message: `${statusSentence(session)} Output: get_task_output.`,
  };
}
