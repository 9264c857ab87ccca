import { InvalidArgumentError, type Command } from "commander";
import type { EditOptions, MemoryListOptions } from "./memory.ts";
import type { CommonOptions } from "./service.ts";

type Does = <A extends readonly unknown[]>(
  action: (...args: A) => Promise<number>,
) => (...args: readonly unknown[]) => Promise<void>;

const example = `
  $ pergola memory search where is the key
  $ pergola memory edit 3f0c… The key is under the mat --tags house,keys
  $ pergola memory forget 3f0c…`;

function share(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0 && value <= 1))
    throw new InvalidArgumentError("It must be a number from 0 to 1.");
  return value;
}

/** `pergola memory …`; `client` gives a command the flags of those that talk to a service. */
export function addMemory(
  memory: Command,
  client: (command: Command) => Command,
  wholeNumber: (text: string) => number,
  does: Does,
): void {
  memory.addHelpText("after", example);
  const listing = (command: Command): Command =>
    client(command)
      .option(
        "--conversation <id>",
        "what this conversation remembers; with a shared topic, what the topic does",
      )
      .option("--topic <id>", "what this topic remembers")
      .option("--kind <kind>", "memory, kv, discovery, solution or pattern")
      .option("--tag <tag>", "only what has this tag")
      .option("--limit <number>", "most that are shown (50)", wholeNumber);
  listing(memory.command("list"))
    .description("what is remembered, the newest first")
    .action(
      does(async (options: MemoryListOptions) => (await import("./memory.ts")).listMemories([], options)),
    );
  listing(memory.command("search <words...>"))
    .description("find it by meaning and words, the best first")
    .action(
      does(async (words: readonly string[], options: MemoryListOptions) =>
        (await import("./memory.ts")).listMemories(words, options),
      ),
    );
  client(memory.command("show <id>"))
    .description("all that is known of one memory")
    .action(
      does(async (id: string, options: CommonOptions) =>
        (await import("./memory.ts")).showMemory(id, options),
      ),
    );
  client(memory.command("edit <id> [text...]"))
    .description("change its text, or what else is named")
    .option("--type <word>", "what it is, such as fact")
    .option("--tags <list>", "tags, with commas between them")
    .option("--importance <number>", "0 to 1", share)
    .action(
      does(async (id: string, words: readonly string[], options: EditOptions) =>
        (await import("./memory.ts")).editMemory(id, words, options),
      ),
    );
  client(memory.command("forget <ids...>"))
    .description("delete memories; no search finds them any more")
    .action(
      does(async (ids: readonly string[], options: CommonOptions) =>
        (await import("./memory.ts")).forgetMemories(ids, options),
      ),
    );
}
