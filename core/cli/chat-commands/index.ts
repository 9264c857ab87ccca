import { didYouMean } from "@pergola/sdk";
import { fault } from "../../fault.ts";
import type { ChatCommand, ChatSession } from "./chat-command.ts";
import { help } from "./help.ts";
import { model } from "./model.ts";
import { newConversation } from "./new-conversation.ts";
import { open } from "./open.ts";
import { completeCall, prompts, serverPrompts } from "./prompts.ts";
import { quit } from "./quit.ts";
import { runs } from "./runs.ts";
import { skillNames, skills } from "./skills.ts";
import { tools } from "./tools.ts";
import { undoChanges } from "./undo-changes.ts";

const commands: readonly ChatCommand[] = [
  model,
  newConversation,
  open,
  undoChanges,
  runs,
  tools,
  skills,
  prompts,
  quit,
];
const all: readonly ChatCommand[] = [help(commands), ...commands];

/** For completion. */
export const commandWords: readonly string[] = all.map(({ names: [name] }) => `/${name}`);

/** The name and the rest of a line that is a command; a path such as /etc/hosts is none. */
const parse = (line: string) => /^\/([a-z0-9-]*|[a-z][a-z0-9_]*:[\w.-]+)(?:\s+([^]*))?$/.exec(line.trim());

export const isCommand = (line: string): boolean =>
  parse(line) !== null || ["exit", "quit"].includes(line.trim().toLowerCase());

/** Skills and prompts of MCP servers as commands, for completion. */
export async function calledWords(
  session: Pick<ChatSession, "service" | "options">,
): Promise<readonly string[]> {
  const [names, found] = await Promise.all([skillNames(session), serverPrompts(session)]);
  return [...names, ...found.map(({ command }) => command)].map((name) => `/${name}`);
}

/**
 * Does what a line that is a command says; `send`: it calls a skill or a prompt, and this goes to the model.
 * Throws AppError for one that there is not.
 */
export async function doCommand(
  session: ChatSession,
  line: string,
): Promise<"quit" | { readonly send: string } | undefined> {
  const [, name = "", words = ""] = parse(line) ?? [line, line.trim().toLowerCase()];
  const found = all.find(({ names }) => names.includes(name));
  if (found !== undefined) return found.run(session, words.trim());
  const called = await calledWords(session);
  if (!called.includes(`/${name}`)) {
    const hint = didYouMean(`/${name}`, [...commandWords, ...called]);
    throw fault("invalid_value", `There is no command /${name}.${hint} /help lists the commands.`);
  }
  const prompt = (await serverPrompts(session)).find(({ command }) => command === name);
  const send = prompt === undefined ? line : await completeCall(prompt, words.trim());
  return send === undefined ? undefined : { send };
}
