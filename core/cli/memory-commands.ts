import { InvalidArgumentError, type Command } from "commander";
import type { MakeAction } from "./program.ts";

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

interface Helpers {
  /** Gives a command the flags of those that talk to a service. */
  readonly client: (command: Command) => Command;
  readonly wholeNumber: (text: string) => number;
  readonly action: MakeAction;
}

/** Defines `pergola memory …`. */
export function addMemory(memory: Command, { client, wholeNumber, action }: Helpers): void {
  const load = () => import("./memory.ts");
  const listing = (command: Command): Command =>
    client(command)
      .option("--conversation <id>", "memories of this conversation, or of its shared topic")
      .option("--topic <id>", "memories of this topic")
      .option("--kind <kind>", "memory, kv, discovery, solution or pattern")
      .option("--tag <tag>", "only those with this tag")
      .option("--limit <number>", "show at most this many (50)", wholeNumber);
  memory.addHelpText("after", example);
  listing(memory.command("list"))
    .description("list memories, the newest first")
    .action(action(load, "listMemories"));
  listing(memory.command("search <words...>"))
    .description("search by meaning and words, the best match first")
    .action(action(load, "searchMemories"));
  client(memory.command("show <id>"))
    .description("show everything about one memory")
    .action(action(load, "showMemory"));
  client(memory.command("edit <id> [text...]"))
    .description("change its text or other fields")
    .option("--type <word>", "what it is, such as fact")
    .option("--tags <list>", "tags, separated by commas")
    .option("--importance <number>", "0 to 1", fraction)
    .action(action(load, "editMemory"));
  client(memory.command("forget <ids...>"))
    .description("delete memories")
    .action(action(load, "forgetMemories"));
}
