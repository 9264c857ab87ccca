import { InvalidArgumentError, type Command } from "commander";
import { clientCommand, onService, wholeNumber } from "./define-command.ts";

const example = `
  $ pergola memory search where is the key
  $ pergola memory edit 3f0c… The key is under the mat --tags house,keys
  $ pergola memory forget 3f0c…`;

function fraction(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0 && value <= 1))
    throw new InvalidArgumentError("It must be a number from 0 to 1.");
  return value;
}

const withFilters = (command: Command): Command =>
  command
    .option("--conversation <id>", "memories of this conversation, or of its shared topic")
    .option("--topic <id>", "memories of this topic")
    .option("--kind <kind>", "memory, kv, discovery, solution or pattern")
    .option("--tag <tag>", "only those with this tag")
    .option("--limit <number>", "show at most this many (50)", wholeNumber);

/** Defines `pergola memory …`. */
export function addMemory(memory: Command): void {
  const load = () => import("./memory.ts");
  memory.addHelpText("after", example);
  withFilters(clientCommand(memory, "list", "list memories, the newest first")).action(
    onService(load, "listMemories"),
  );
  withFilters(
    clientCommand(memory, "search <words...>", "search by meaning and words, the best match first"),
  ).action(onService(load, "searchMemories"));
  clientCommand(memory, "show <id>", "show everything about one memory").action(
    onService(load, "showMemory"),
  );
  clientCommand(memory, "edit <id> [text...]", "change its text or other fields")
    .option("--type <word>", "what it is, such as fact")
    .option("--tags <list>", "tags, separated by commas")
    .option("--importance <number>", "0 to 1", fraction)
    .action(onService(load, "editMemory"));
  clientCommand(memory, "forget <ids...>", "delete memories").action(onService(load, "forgetMemories"));
}
