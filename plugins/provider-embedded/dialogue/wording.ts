import type { Json } from "@pergola/sdk";
import { quoted } from "../results/quoted.ts";
import { spaced } from "../request/words.ts";
import type { PlannedCall } from "./plan.ts";

function written(value: Json): string {
  if (typeof value === "string") return `“${value}”`;
  return JSON.stringify(value);
}

/** `delete file (file path “a.txt”)`, and `…` for what is missing. */
function describeCall({ route, arguments: args }: PlannedCall): string {
  const values = Object.entries(args).map(([name, value]) => `${spaced(name)} ${written(value)}`);
  const missing = route.required.filter((name) => !(name in args)).map((name) => `${spaced(name)} …`);
  const all = [...values, ...missing].join(", ");
  return [spaced(route.name), all && `(${all})`].filter(Boolean).join(" ");
}

export const confirmText = (calls: readonly PlannedCall[]): string =>
  `Shall I do this: ${calls.map(describeCall).join("; then ")}? Answer yes or no.`;

export const askText = ({ route }: PlannedCall, name: string): string =>
  `To ${spaced(route.name)}, I need one thing more. What should the ${spaced(name)} be?`;

/** For a value that cannot be given in a word. */
export function exampleText({ route }: PlannedCall): string {
  const [say] = route.sayings;
  const how = say && `For example: ${quoted(say)}`;
  return [`To ${spaced(route.name)}, say all of it in one sentence.`, how].filter(Boolean).join(" ");
}

const connectLine = "A connected language model understands more: ask me “how do I connect a model?”.";

function optionLine(call: PlannedCall, index: number): string {
  const [say] = call.route.sayings;
  const line = `${index + 1}. ${spaced(call.route.tool)}: ${describeCall(call)}`;
  if (say === undefined) return line;
  return `${line}, as in ${quoted(say)}`;
}

/** The question which of some calls is meant. */
export function chooseText(options: readonly PlannedCall[]): string {
  if (options.length === 0) return `I did not understand that, and no tools are switched on. ${connectLine}`;
  const lines = options.map(optionLine).join("\n");
  return (
    `I am not certain what you mean. The nearest things I can do:\n\n${lines}\n\n` +
    `Which one? Answer with its number, or say it in other words. ${connectLine}`
  );
}

export const otherLanguageText = `I understand only English. ${connectLine}`;

export const leaveText = "All right, I leave it.";
