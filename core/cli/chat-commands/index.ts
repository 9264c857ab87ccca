import { didYouMean } from "@pergola/sdk";
import { fault } from "../../fault.ts";
import type { ChatCommand, ChatSession } from "./chat-command.ts";
import { help } from "./help.ts";
import { model } from "./model.ts";
import { newConversation } from "./new-conversation.ts";
import { open } from "./open.ts";
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
  quit,
];
const all: readonly ChatCommand[] = [help(commands), ...commands];

/** For completion. */
export const commandWords: readonly string[] = all.map(({ names: [name] }) => `/${name}`);

/** The name and the rest of a line that is a command; a path such as /etc/hosts is none. */
const parse = (line: string) => /^\/([a-z0-9-]*)(?:\s+([^]*))?$/.exec(line.trim());

export const isCommand = (line: string): boolean =>
  parse(line) !== null || ["exit", "quit"].includes(line.trim().toLowerCase());

/** The names of skills as commands, for completion. */
export const skillWords = async (
  session: Pick<ChatSession, "service" | "options">,
): Promise<readonly string[]> => (await skillNames(session)).map((name) => `/${name}`);

/**
 * Does what a line that is a command says; `send`: it calls a skill, and goes to the model. Throws AppError
 * for one that there is not.
 */
export async function doCommand(session: ChatSession, line: string): Promise<"quit" | "send" | undefined> {
  const [, name = "", words = ""] = parse(line) ?? [line, line.trim().toLowerCase()];
  const found = all.find(({ names }) => names.includes(name));
  if (found !== undefined) return found.run(session, words.trim());
  const called = await skillWords(session);
  if (called.includes(`/${name}`)) return "send";
  const hint = didYouMean(`/${name}`, [...commandWords, ...called]);
  throw fault("invalid_value", `There is no command /${name}.${hint} /help lists the commands.`);
}
