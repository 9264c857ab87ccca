import type { Question } from "./read-events.ts";
import { styled, textOfValue, visible } from "./visible.ts";

/** The body of an answer. */
export interface Decision {
  readonly approved?: boolean;
  readonly userResponse?: string;
  readonly grant?: "conversation";
}

/** A value's own lines are marked, so that none of them can pass for one of ours. */
function show(value: unknown): string {
  const text = visible(textOfValue(value));
  return text.includes("\n") ? `\n${text.replaceAll(/^/gm, "    | ")}` : text;
}

/** Everything that is to be decided on, in full. */
export function describe({
  kind,
  prompt,
  context,
  tool,
  operation,
  arguments: args,
  paths,
  authorize_operation: asked,
}: Question): string {
  const lines = [show(prompt)];
  if (context !== null) lines.push(show(context));
  if (kind === "approval" || asked !== null)
    lines.push(`  ${styled("bold", visible(asked ?? `${tool}.${operation}`))}`);
  if (kind === "approval" && asked === null)
    for (const [name, value] of Object.entries(args)) lines.push(`  ${visible(name)}: ${show(value)}`);
  for (const path of paths) lines.push(`  path: ${show(path)}`);
  return lines.join("\n");
}

/**
 * Asks the person at the terminal, until the signal says that the question is closed. `stop`: they want the
 * run to end.
 */
export async function askPerson(question: Question, signal: AbortSignal): Promise<Decision | "stop"> {
  const { select, text, isCancel } = await import("@clack/prompts");
  const write = async (message: string): Promise<Decision | "stop"> => {
    const said = await text({ message, signal });
    return isCancel(said) ? "stop" : { userResponse: said ?? "" };
  };
  if (question.kind === "question" && question.options.length === 0) return write("Your answer");
  if (question.kind === "question") {
    const options = question.options.map((value) => ({ value, label: visible(value) }));
    const said = await select({ message: "Your answer", options, signal });
    return isCancel(said) ? "stop" : { userResponse: said };
  }
  const options = [
    { value: "no", label: "No" },
    { value: "why", label: "No, and say what to do instead" },
    { value: "once", label: "Yes, this once" },
    { value: "conversation", label: "Yes, for the rest of this conversation" },
  ];
  const chosen = await select({ message: "Allow it?", options, signal });
  if (isCancel(chosen)) return "stop";
  if (chosen === "no") return { approved: false };
  if (chosen === "once") return { approved: true };
  if (chosen === "conversation") return { approved: true, grant: "conversation" };
  const said = await write("What should it do instead?");
  return said === "stop" ? said : { ...said, approved: false };
}
