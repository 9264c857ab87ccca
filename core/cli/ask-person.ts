import { fault } from "../fault.ts";
import { previewLines, saysAll } from "./describe-preview.ts";
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
  if (!text.includes("\n")) return text;
  return `\n${text.replaceAll(/^/gm, "    | ")}`;
}

/** Everything that is to be decided on, in full. */
export function describe(question: Omit<Question, "type">): string {
  const { kind, prompt, context, tool, operation, authorize_operation: authorized } = question;
  const isApproval = kind === "approval";
  const name = authorized ?? `${tool}.${operation}`;
  const lines = [show(prompt)];
  if (context !== null) lines.push(show(context));
  const isNamed = prompt.startsWith(`${name}: `);
  if ((isApproval || authorized !== null) && !isNamed) lines.push(`  ${styled("bold", visible(name))}`);
  if (isApproval && authorized === null) lines.push(...effectLines(question));
  else lines.push(...pathLines(question));
  return lines.join("\n");
}

const pathLines = ({ paths }: Pick<Question, "paths">): readonly string[] =>
  paths.map((path) => `  path: ${show(path)}`);

/** What a call would do; its arguments too, where that does not say all. */
function effectLines({ preview, ...question }: Omit<Question, "type">): readonly string[] {
  const effect = preview && preview.state !== "none" ? previewLines(preview) : [];
  if (preview && saysAll(preview)) return effect;
  return [...argumentLines(question.arguments), ...pathLines(question), ...effect];
}

/** A text that takes the place of another is shown below it, as in a diff. */
function argumentLines(values: Question["arguments"]): readonly string[] {
  return Object.entries(values).map(([name, value]) => {
    const isReplaced = name === "oldString" && typeof values["newString"] === "string";
    const replaces = name === "newString" && typeof values["oldString"] === "string";
    if (isReplaced) return changed("red", "-", value);
    if (replaces) return changed("green", "+", value);
    return `  ${visible(name)}: ${show(value)}`;
  });
}

const changed = (colour: "red" | "green", sign: string, value: unknown): string =>
  visible(textOfValue(value))
    .split("\n")
    .map((line) => styled(colour, `    ${sign} ${line}`))
    .join("\n");

/** The prompts, which end with the input. */
async function prompts() {
  const [all, { askUntil, leavingKeys }] = await Promise.all([
    import("@clack/prompts"),
    import("./end-of-input.ts"),
  ]);
  all.updateSettings(leavingKeys);
  return { ...all, askUntil };
}

/**
 * Asks the person at the terminal, until the signal says that the question is closed. `stop`: they want the
 * run to end.
 */
export async function askPerson(
  question: Pick<Question, "kind" | "options">,
  signal: AbortSignal,
): Promise<Decision | "stop"> {
  if (question.kind === "approval") return askApproval(signal);
  const options = question.options.map((value) => ({ value, label: visible(value) }));
  if (options.length === 0) return askText("Your answer", signal);
  const { select, isCancel, askUntil } = await prompts();
  const answer = await askUntil(signal, (open) => select({ message: "Your answer", options, signal: open }));
  if (isCancel(answer)) return "stop";
  return { userResponse: answer };
}

async function askText(message: string, signal: AbortSignal): Promise<Decision | "stop"> {
  const { text, isCancel, askUntil } = await prompts();
  const answer = await askUntil(signal, (open) => text({ message, signal: open }));
  if (isCancel(answer)) return "stop";
  return { userResponse: answer ?? "" };
}

/** Asks for a line of text; undefined when the person leaves. */
export async function askLine(message: string): Promise<string | undefined> {
  const answer = await askText(message, new AbortController().signal);
  return answer === "stop" ? undefined : answer.userResponse;
}

/** The same, typed unseen. */
export async function askHidden(message: string): Promise<string | undefined> {
  const { password, isCancel, askUntil } = await prompts();
  const answer = await askUntil(undefined, (signal) => password({ message, signal }));
  return isCancel(answer) ? undefined : answer;
}

/** Has one of these chosen; undefined when the person leaves. */
export async function askChoice(message: string, choices: readonly string[]): Promise<string | undefined> {
  const { select, isCancel, askUntil } = await prompts();
  const options = choices.map((value) => ({ value, label: visible(value) }));
  const answer = await askUntil(undefined, (signal) => select({ message, options, signal }));
  return isCancel(answer) ? undefined : answer;
}

const choices = [
  { value: "no", label: "No", key: "n" },
  { value: "why", label: "No, and say what to do instead", key: "w" },
  { value: "once", label: "Yes, this once", key: "y" },
  { value: "conversation", label: "Yes, for the rest of this conversation", key: "a" },
] as const;

async function askApproval(signal: AbortSignal): Promise<Decision | "stop"> {
  const { choose } = await import("./choose.ts");
  const choice = await choose("Allow it?", choices, signal);
  if (choice === undefined) return "stop";
  if (choice === "no") return { approved: false };
  if (choice === "once") return { approved: true };
  if (choice === "conversation") return { approved: true, grant: "conversation" };
  const reason = await askText("What should it do instead?", signal);
  if (reason === "stop") return reason;
  return { ...reason, approved: false };
}

/** Asks for a yes; the default, and the end of the input, is no. */
export async function confirmed(message: string): Promise<boolean> {
  const { confirm, askUntil } = await prompts();
  const answer = await askUntil(undefined, (signal) => confirm({ message, initialValue: false, signal }));
  return answer === true;
}

/** The same at the terminal. Throws AppError if nobody is there. */
export async function isConfirmed(message: string, flag: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw fault("invalid_value", `Nobody is at the terminal to decide this. To do it, add ${flag}.`);
  return confirmed(message);
}
