import { Command, InvalidArgumentError, Option } from "commander";
import type { ChatOptions } from "./chat.ts";
import type { ExportOptions, ImportOptions, ListOptions } from "./conversations.ts";
import { exitCodes, exitMeanings } from "./exit-codes.ts";
import { addMemory } from "./memory-commands.ts";
import type { DownloadOptions, SearchOptions } from "./models.ts";
import type { CheckOptions } from "./plugins.ts";
import type { RunOptions } from "./run.ts";
import type { CommonOptions } from "./service.ts";
import type { CallOptions } from "./tools.ts";
import type { UndoOptions } from "./undo.ts";

const codes = Object.entries(exitCodes).map(
  ([name, code]) => `  ${String(code).padEnd(5)}${exitMeanings[name as keyof typeof exitCodes]}`,
);

const help = `
Start with:
  $ pergola start                        serve on http://127.0.0.1:8080
  $ pergola chat                         talk to it; starts one for the moment if none runs
  $ pergola run "list the files here"    work on a task until it is done
  $ pergola undo                         take back what it changed in files
  $ pergola doctor                       what is found, what is missing, how to get it
  $ pergola <command> --help             more of one command

Exit codes:
${codes.join("\n")}`;

const examples = {
  start: `
The first Ctrl-C (or SIGTERM) ends streams properly and keeps unfinished runs for the next start; the second stops at once.
  $ pergola start --settings pergola.config.json --data ./data --port 8090`,
  chat: `
Ctrl-C stops an answer; twice, or while nothing runs, it leaves, as does Ctrl-D. A call that needs your approval is shown in full first.
  $ pergola chat --model openai/gpt-4o --conversation notes
  $ echo "What is in this folder?" | pergola chat      each line is a message`,
  run: `
The answer goes to stdout, the steps go to stderr. Without a terminal nobody can approve: such calls are then refused, unless the
service runs on its own; there they wait until another client answers.
  $ pergola run "summarise README.md" --max-iterations 20 > summary.txt`,
  undo: `
Without a run: the last one of the last conversation that changed files. A file that was changed since is refused, and then nothing is undone
unless --partial is given. The undoing itself is undone with the id that is shown at its end.
  $ pergola undo --list
  $ pergola undo
  $ pergola undo run_0123456789abcdef0123456789abcdef --only src/main.ts docs`,
  call: `
Arguments are name=value pairs, or one JSON object.
  $ pergola tools call file_operations.read_file filePath=README.md
  $ pergola tools call file_operations '{"operation": "list_dir", "path": "."}'`,
  download: `
Without a file one quantization is chosen (Q4_K_M or the nearest), with all its parts. Ctrl-C keeps what has come: the same command goes on.
  $ pergola models search qwen 7b instruct
  $ pergola models download owner/name-GGUF
  $ pergola models download owner/name-GGUF name-Q8_0.gguf`,
  export: `
  $ pergola conversations export notes --output notes.json
  $ pergola conversations export notes --format markdown | less
  $ pergola conversations import notes.json`,
  set: `
Lists may be written with commas; records, and lists of records, as JSON. What a flag, the environment or the settings file sets is changed there.
  $ pergola settings set default_model openai/gpt-4o
  $ pergola settings set tools.disabled think,weather_operations
  $ pergola settings set downloads.token - < token.txt`,
  check: `
  $ pergola plugins check                those of the settings
  $ pergola plugins check ./my-plugin    one that you write, beside the standard plugins`,
} as const;

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError("It must be a whole number above 0.");
  return Number(text);
}

const port = (text: string): string => String(wholeNumber(text));

const common = (command: Command): Command =>
  command
    .option("--settings <file>", "use this settings file")
    .option("--data <directory>", "keep everything in this directory")
    .option("--port <number>", "port of the service (8080)", port)
    .option("--json", "machine-readable output");

const client = (command: Command): Command =>
  common(command).option("--url <address>", "talk to the service at this address");

const talking = (command: Command): Command =>
  client(command)
    .option("--model <id>", "model (default: the preference default_model)")
    .option("--directory <path>", "working directory (default: this one)");

/** The command line; `ended` gets the exit code of the command that ran. */
export function makeProgram(version: string, ended: (code: number) => void): Command {
  const program = new Command("pergola")
    .description("A local chat-and-agent service.")
    .version(version)
    .addHelpText("after", help)
    .showHelpAfterError("(pergola --help shows the commands)");
  program.exitOverride();
  const does =
    <A extends readonly unknown[]>(action: (...args: A) => Promise<number>) =>
    async (...args: readonly unknown[]): Promise<void> =>
      ended(await action(...(args.slice(0, -1) as unknown as A)));
  common(program.command("start"))
    .description("serve until stopped")
    .addHelpText("after", examples.start)
    .action(does(async (options: CommonOptions) => (await import("./start.ts")).start(options)));
  talking(program.command("chat"))
    .description("talk to a model; tools are shown as they work, approvals are asked here")
    .option("--conversation <id>", "go on with this conversation: a UUID or any name")
    .addHelpText("after", examples.chat)
    .action(does(async (options: ChatOptions) => (await import("./chat.ts")).chat(options)));
  talking(program.command("run <task>"))
    .description("work on a task until it is done, showing the steps")
    .option("--max-iterations <number>", "limit of model calls", wholeNumber)
    .addHelpText("after", examples.run)
    .action(does(async (task: string, options: RunOptions) => (await import("./run.ts")).run(task, options)));
  client(program.command("undo [run]"))
    .description("take back what a run has changed in files")
    .option("--list", "only show what it has changed")
    .option("--only <paths...>", "only these files and folders")
    .option("--partial", "undo what can be undone when something cannot")
    .option("--yes", "do not ask")
    .addHelpText("after", examples.undo)
    .action(
      does(async (run: string | undefined, options: UndoOptions) =>
        (await import("./undo.ts")).undo(run, options),
      ),
    );
  addModels(program.command("models").description("look for models, download and remove them"), does);
  addConversations(
    program.command("conversations").description("list conversations, take them out as files and back in"),
    does,
  );
  addTools(program.command("tools").description("list the tools, or call one by hand"), does);
  addMemory(
    program.command("memory").description("look at what is remembered, change it, forget it"),
    client,
    wholeNumber,
    does,
  );
  addSettings(program.command("settings").description("look at the preferences, and change them"), does);
  addPlugins(program.command("plugins").description("look at the plugins"), does);
  common(program.command("doctor"))
    .description("what is found, from where, what is missing and how to get it")
    .action(does(async (options: CommonOptions) => (await import("./doctor.ts")).doctor(options)));
  program
    .command("trust <folder>")
    .description("let the settings file of this folder do everything, as it is now")
    .action(does(async (folder: string) => (await import("./trust.ts")).trust(folder)));
  return program;
}

type Does = <A extends readonly unknown[]>(
  action: (...args: A) => Promise<number>,
) => (...args: readonly unknown[]) => Promise<void>;

function addModels(models: Command, does: Does): void {
  client(models.command("list"))
    .description("the models there are, and those on their way")
    .action(does(async (options: CommonOptions) => (await import("./models.ts")).listModels(options)));
  client(models.command("search [words...]"))
    .description("ask the source of models (downloads.base_url)")
    .option("--limit <number>", "most that are shown (20)", wholeNumber)
    .action(
      does(async (words: readonly string[], options: SearchOptions) =>
        (await import("./models.ts")).searchModels(words, options),
      ),
    );
  client(models.command("download <repository> [file]"))
    .description("download a model: owner/name, or the address of a file")
    .option("--revision <name>", "branch, tag or commit (main)")
    .option("--sha256 <digest>", "what the file must have")
    .option("--keep-partial", "keep what has come when the disk is full")
    .addHelpText("after", examples.download)
    .action(
      does(async (source: string, file: string | undefined, options: DownloadOptions) =>
        (await import("./models.ts")).downloadModel(source, file, options),
      ),
    );
  client(models.command("remove <id>"))
    .description("remove an installed model with its files, or what has come of an unfinished one")
    .action(
      does(async (id: string, options: CommonOptions) =>
        (await import("./models.ts")).removeModel(id, options),
      ),
    );
}

function addConversations(conversations: Command, does: Does): void {
  client(conversations.command("list [words...]"))
    .description("the newest, or those with these words in their titles")
    .option("--limit <number>", "most that are shown (20)", wholeNumber)
    .action(
      does(async (words: readonly string[], options: ListOptions) =>
        (await import("./conversations.ts")).listConversations(words, options),
      ),
    );
  client(conversations.command("export <id>"))
    .description("write a conversation with its memories, to-dos and results to a file")
    .addOption(
      new Option("--format <form>", "json can be imported, markdown is to be read")
        .choices(["json", "markdown"])
        .default("json"),
    )
    .option("--output <file>", "a new file (default: standard output)")
    .addHelpText("after", examples.export)
    .action(
      does(async (id: string, options: ExportOptions) =>
        (await import("./conversations.ts")).exportConversation(id, options),
      ),
    );
  client(conversations.command("import <file>"))
    .description("take in an exported conversation; its id goes to standard output")
    .addOption(
      new Option("--on-conflict <what>", "where the conversation is here already")
        .choices(["new_id", "replace", "fail"])
        .default("new_id"),
    )
    .action(
      does(async (file: string, options: ImportOptions) =>
        (await import("./conversations.ts")).importConversation(file, options),
      ),
    );
}

function addTools(tools: Command, does: Does): void {
  client(tools.command("list"))
    .description("tool families and their operations")
    .action(does(async (options: CommonOptions) => (await import("./tools.ts")).listTools(options)));
  client(tools.command("call <name> [arguments...]"))
    .description("call a tool, such as file_operations.read_file")
    .option("--directory <path>", "working directory (default: this one)")
    .option("--yes", "make the call as your own: no approval is asked")
    .addHelpText("after", examples.call)
    .action(
      does(async (name: string, given: readonly string[], options: CallOptions) =>
        (await import("./tools.ts")).callTool(name, given, options),
      ),
    );
}

function addSettings(settings: Command, does: Does): void {
  client(settings.command("list [prefix]"))
    .description("all preferences, and where each value comes from")
    .action(
      does(async (prefix: string | undefined, options: CommonOptions) =>
        (await import("./settings.ts")).listSettings(prefix, options),
      ),
    );
  client(settings.command("get <key>"))
    .description("the value in force")
    .action(
      does(async (key: string, options: CommonOptions) =>
        (await import("./settings.ts")).getSetting(key, options),
      ),
    );
  client(settings.command("set <key> <value>"))
    .description("change one; - reads the value from stdin")
    .addHelpText("after", examples.set)
    .action(
      does(async (key: string, value: string, options: CommonOptions) =>
        (await import("./settings.ts")).setSetting(key, value, options),
      ),
    );
  client(settings.command("unset <key>"))
    .description("go back to the default")
    .action(
      does(async (key: string, options: CommonOptions) =>
        (await import("./settings.ts")).unsetSetting(key, options),
      ),
    );
}

function addPlugins(plugins: Command, does: Does): void {
  common(plugins.command("list"))
    .description("all plugins and their state")
    .action(does(async (options: CommonOptions) => (await import("./plugins.ts")).listPlugins(options)));
  common(plugins.command("inspect <id>"))
    .description("everything known of one")
    .action(
      does(async (id: string, options: CommonOptions) =>
        (await import("./plugins.ts")).inspectPlugin(id, options),
      ),
    );
  common(plugins.command("check [folders...]"))
    .description("load all once, or those in the folders, and tell what is wrong")
    .option("--trusted", "run those in the folders in this process, as `isolation: trusted` does")
    .addHelpText("after", examples.check)
    .action(
      does(async (folders: readonly string[], options: CheckOptions) =>
        (await import("./plugins.ts")).checkPlugins(folders, options),
      ),
    );
}
