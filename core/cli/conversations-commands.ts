import { Option, type Command } from "commander";
import { action, clientCommand, onService, wholeNumber } from "./define-command.ts";

const example = `
  $ pergola conversations export notes --output notes.json
  $ pergola conversations export notes --format markdown | less`;

const importExample = `
The file is one that Pergola exported, or an export of another app: a file, a .zip or a folder. The same file
twice imports nothing twice. Ctrl-C stops after the present conversation. docs/import.md tells where each app
has its export.
  $ pergola conversations import notes.json
  $ pergola conversations import chatgpt-export.zip`;

const searchExample = `
  $ pergola conversations search train graz
  $ pergola conversations search '"the exact phrase"' beginn*`;

/** Defines `pergola conversations …`. */
export function addConversations(conversations: Command): void {
  const load = () => import("./conversations.ts");
  clientCommand(
    conversations,
    "list [words...]",
    "list the newest, or those with these words in their titles",
  )
    .option("--limit <number>", "show at most this many (20)", wholeNumber)
    .action(onService(load, "listConversations"));
  clientCommand(conversations, "search <words...>", "search all that was said, the newest first")
    .option("--conversation <id>", "only in this conversation")
    .option("--limit <number>", "show at most this many (20)", wholeNumber)
    .addHelpText("after", searchExample)
    .action(onService(() => import("./search-messages.ts"), "searchMessages"));
  clientCommand(
    conversations,
    "export <id>",
    "write a conversation with its memories, to-dos and results to a file",
  )
    .addOption(
      new Option("--format <form>", "json can be imported, markdown is for reading")
        .choices(["json", "markdown"])
        .default("json"),
    )
    .option("--output <file>", "a new file (default: standard output)")
    .addHelpText("after", example)
    .action(onService(load, "exportConversation"));
  clientCommand(conversations, "import <file>", "import an exported conversation, or those of another app")
    .option("--from <app>", "whose export it is (auto): chatgpt, for example", "auto")
    .addOption(
      new Option(
        "--on-conflict <what>",
        "what to do if a conversation already exists (new_id; for other apps: skip)",
      ).choices(["new_id", "replace", "skip", "fail"]),
    )
    .addHelpText("after", importExample)
    .action(action(() => import("./import-conversations.ts"), "importConversations"));
  clientCommand(conversations, "show <id>", "show what was said in a conversation").action(
    onService(load, "showConversation"),
  );
  clientCommand(conversations, "rename <id> <title...>", "give a conversation another title").action(
    onService(load, "renameConversation"),
  );
  clientCommand(conversations, "delete <ids...>", "delete conversations for good; files of theirs stay")
    .option("--yes", "do not ask")
    .action(onService(load, "deleteConversations"));
}
