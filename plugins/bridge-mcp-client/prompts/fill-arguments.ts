import { AppError } from "@pergola/sdk";
import type { ServerPrompt } from "./server-prompt.ts";

interface Word {
  readonly text: string;
  /** Where it begins. */
  readonly index: number;
}

const word = /"((?:[^"\\]|\\.)*)"(?=\s|$)|'([^']*)'(?=\s|$)|\S+/g;

/** Words are parted by spaces; quotation marks keep those together that belong to one. */
const wordsOf = (text: string): readonly Word[] =>
  [...text.matchAll(word)].map(({ 0: whole, 1: double, 2: single, index }) => ({
    text: double?.replaceAll(/\\(["\\])/g, "$1") ?? single ?? whole,
    index,
  }));

/** How a prompt is called: `/wiki:page <title> [language]`. */
export const usageOf = (command: string, { arguments: fields }: Pick<ServerPrompt, "arguments">): string =>
  [`/${command}`, ...fields.map(({ name, required }) => (required ? `<${name}>` : `[${name}]`))].join(" ");

/**
 * The arguments of a prompt from the words behind its command, one after the other; the last takes what is
 * left. Throws AppError `missing_field`.
 */
export function fillArguments(
  command: string,
  prompt: ServerPrompt,
  text: string,
): Readonly<Record<string, string>> {
  const words = wordsOf(text);
  const { arguments: fields } = prompt;
  const values = fields.map((_, index) => {
    const isRest = index === fields.length - 1 && words.length > fields.length;
    return isRest ? text.slice(words[index]?.index).trim() : words[index]?.text;
  });
  const missing = fields.filter(({ required }, index) => required && values[index] === undefined);
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name).join(", ");
    const message = `/${command} needs ${names}. Write: ${usageOf(command, prompt)}`;
    throw new AppError({ code: "missing_field", message });
  }
  const given = fields.map(({ name }, index) => [name, values[index]] as const);
  return Object.fromEntries(given.filter((pair): pair is [string, string] => pair[1] !== undefined));
}
