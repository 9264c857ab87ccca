import { didYouMean } from "@pergola/sdk";
import { fault } from "../../fault.ts";
import type { ChatCommand, ChatSession } from "./chat-command.ts";
import { help } from "./help.ts";
import { model } from "./model.ts";
import { newConversation } from "./new-conversation.ts";
import { open } from "./open.ts";
import { quit } from "./quit.ts";
import { runs } from "./runs.ts";
import { tools } from "./tools.ts";
import { undoChanges } from "./undo-changes.ts";

const commands: readonly ChatCommand[] = [model, newConversation, open, undoChanges, runs, tools, quit];
const all: readonly ChatCommand[] = [help(commands), ...commands];

/** For completion. */
export const commandWords: readonly string[] = all.map(({ names: [name] }) => `/${name}`);

/** The name and the rest of a line that is a command; a path such as /etc/hosts is none. */
const parse = (line: string) => /^\/([a-z]*)(?:\s+([^]*))?$/.exec(line.trim());

export const isCommand = (line: string): boolean =>
  parse(line) !== null || ["exit", "quit"].includes(line.trim().toLowerCase());

/** Does what a line that is a command says. Throws AppError for one that there is not. */
export async function doCommand(session: ChatSession, line: string): Promise<"quit" | undefined> {
  const [, name = "", words = ""] = parse(line) ?? [line, line.trim().toLowerCase()];
  const found = all.find(({ names }) => names.includes(name));
  if (found !== undefined) return found.run(session, words.trim());
  const hint = didYouMean(`/${name}`, commandWords);
  throw fault("invalid_value", `There is no command /${name}.${hint} /help lists the commands.`);
}
