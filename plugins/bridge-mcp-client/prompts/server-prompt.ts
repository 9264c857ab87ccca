import { isObject, stringOf, type JsonObject } from "@pergola/sdk";
import type { McpPrompt } from "@pergola/sdk/host";
import { shortened } from "../shortened.ts";

/** A prompt as its server lists it. */
export interface ServerPrompt extends Pick<McpPrompt, "description" | "arguments"> {
  readonly name: string;
}

/** Characters of a description, and arguments of a prompt. */
const [longestDescription, mostArguments] = [1000, 32];

const argumentOf = ({ name, description, required }: JsonObject): McpPrompt["arguments"][number] => ({
  name: shortened(stringOf(name), 100),
  description: shortened(stringOf(description), longestDescription),
  required: required === true,
});

/** A prompt of a list, without what a person could not see. */
export function promptOf({ name, description, arguments: fields }: JsonObject): ServerPrompt {
  const all = Array.isArray(fields) ? (fields as readonly JsonObject[]).filter(isObject) : [];
  return {
    name: stringOf(name),
    description: shortened(stringOf(description), longestDescription),
    arguments: all.slice(0, mostArguments).map(argumentOf),
  };
}

/** The word for a prompt behind its server's name; empty where nothing of its name can be written. */
const wordOf = ({ name }: ServerPrompt): string =>
  name
    .replaceAll(/[^\w.-]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 100);

/** The prompts of a server by their commands. Of two whose commands come to the same the first counts. */
export function commandsOf(
  server: string,
  prompts: readonly ServerPrompt[],
): ReadonlyMap<string, ServerPrompt> {
  const commands = new Map<string, ServerPrompt>();
  for (const prompt of prompts) {
    const [word, command] = [wordOf(prompt), `${server}:${wordOf(prompt)}`];
    if (word !== "" && !commands.has(command)) commands.set(command, prompt);
  }
  return commands;
}
