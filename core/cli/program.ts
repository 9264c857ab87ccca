import { Command, InvalidArgumentError, Option } from "commander";
import { exitCodes, exitMeanings } from "./exit-codes.ts";
import { addMemory } from "./memory-commands.ts";

const codes = Object.entries(exitCodes).map(
  ([name, code]) => `  ${String(code).padEnd(5)}${exitMeanings[name as keyof typeof exitCodes]}`,
);

const help = `
Start with:
  $ pergola start                        serve on http://127.0.0.1:8080
  $ pergola chat                         chat; starts a service for the moment if none is running
  $ pergola run "list the files here"    work on a task until it is done
  $ pergola undo                         take back the last changes to files
  $ pergola doctor                       show what is found, what is missing and how to get it
  $ pergola <command> --help             show more about one command

Exit codes:
${codes.join("\n")}`;

const examples = {
  start: `
The first Ctrl-C (or SIGTERM) ends streams properly and keeps unfinished runs for the next start; the second
stops at once.
  $ pergola start --settings pergola.config.json --data ./data --port 8090`,
  chat: `
Ctrl-C stops an answer. Twice, or while nothing runs, it quits, as does Ctrl-D. A call that needs your
approval is first shown in full.
  $ pergola chat --model openai/gpt-4o --conversation notes
  $ echo "What is in this folder?" | pergola chat      each line is a message`,
  run: `
The answer goes to stdout, the steps go to stderr. Without a terminal nobody can approve calls: they are
refused, or, if the service runs on its own, wait until another client answers.
  $ pergola run "summarise README.md" --max-iterations 20 > summary.txt`,
  undo: `
Without an id, it undoes the last run of the last conversation that changed files. If a file was changed
since, nothing is undone unless you give --partial. You can undo the undo with the id shown at its end.
  $ pergola undo --list
  $ pergola undo
  $ pergola undo run_0123456789abcdef0123456789abcdef --only src/main.ts docs`,
  call: `
Arguments are name=value pairs, or one JSON object.
  $ pergola tools call file_operations.read_file filePath=README.md
  $ pergola tools call file_operations '{"operation": "list_dir", "path": "."}'`,
  download: `
Without a file name, it chooses one quantization (Q4_K_M or the nearest) with all its parts. Ctrl-C keeps
what has been downloaded; run the same command again to continue.
  $ pergola models search qwen 7b instruct
  $ pergola models download owner/name-GGUF
  $ pergola models download owner/name-GGUF name-Q8_0.gguf`,
  export: `
  $ pergola conversations export notes --output notes.json
  $ pergola conversations export notes --format markdown | less
  $ pergola conversations import notes.json`,
  set: `
Write lists with commas, and records or lists of records as JSON. To change what a flag, the environment or
the settings file sets, change it there.
  $ pergola settings set default_model openai/gpt-4o
  $ pergola settings set tools.disabled think,weather_operations
  $ pergola settings set downloads.token - < token.txt`,
  check: `
  $ pergola plugins check                the plugins of the settings
  $ pergola plugins check ./my-plugin    a plugin you are writing, with the standard plugins`,
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

const withModel = (command: Command): Command =>
  client(command)
    .option("--model <id>", "model (default: the preference default_model)")
    .option("--directory <path>", "working directory (default: this one)");

/** Makes the action of a command: `name` of a module, which is loaded when the command runs. */
export type MakeAction = <N extends string>(
  load: () => Promise<Readonly<Record<N, (...args: never[]) => Promise<number>>>>,
  name: N,
) => (...args: readonly unknown[]) => Promise<void>;

/** Defines the command line. `onEnd` gets the exit code of the command that ran. */
export function makeProgram(version: string, onEnd: (code: number) => void): Command {
  const action: MakeAction =
    (load, name) =>
    async (...args) => {
      const commands = await load();
      const withoutCommand = args.slice(0, -1) as never[];
      onEnd(await commands[name](...withoutCommand));
    };
  const program = new Command("pergola")
    .description("A local chat-and-agent service.")
    .version(version)
    .addHelpText("after", help)
    .showHelpAfterError("(Run pergola --help to see the commands.)");
  program.exitOverride();
  addConversing(program, action);
  addModels(program.command("models").description("find, download and remove models"), action);
  addConversations(
    program.command("conversations").description("list, export and import conversations"),
    action,
  );
  addTools(program.command("tools").description("list the tools, or call one"), action);
  const memory = program.command("memory").description("list, change and delete what is remembered");
  addMemory(memory, { client, wholeNumber, action });
  addSettings(program.command("settings").description("list and change the preferences"), action);
  addPlugins(program.command("plugins").description("list and check the plugins"), action);
  common(program.command("doctor"))
    .description("show what is found and from where, what is missing and how to get it")
    .action(action(() => import("./doctor.ts"), "doctor"));
  program
    .command("trust <folder>")
    .description("let this folder's settings file, as it is now, set everything")
    .action(action(() => import("./trust.ts"), "trust"));
  return program;
}

function addConversing(program: Command, action: MakeAction): void {
  common(program.command("start"))
    .description("serve until stopped")
    .addHelpText("after", examples.start)
    .action(action(() => import("./start.ts"), "start"));
  withModel(program.command("chat"))
    .description("chat with a model; shows its tool calls and asks for your approvals")
    .option("--conversation <id>", "continue this conversation: a UUID or any name")
    .addHelpText("after", examples.chat)
    .action(action(() => import("./chat.ts"), "chat"));
  withModel(program.command("run <task>"))
    .description("work on a task until it is done, showing each step")
    .option("--max-iterations <number>", "limit of model calls", wholeNumber)
    .addHelpText("after", examples.run)
    .action(action(() => import("./run.ts"), "run"));
  client(program.command("undo [run]"))
    .description("take back a run's changes to files")
    .option("--list", "only list the changes")
    .option("--only <paths...>", "only these files and folders")
    .option("--partial", "undo what can be undone when something cannot")
    .option("--yes", "do not ask")
    .addHelpText("after", examples.undo)
    .action(action(() => import("./undo.ts"), "undo"));
}

function addModels(models: Command, action: MakeAction): void {
  const load = () => import("./models.ts");
  client(models.command("list"))
    .description("list the models, and those being downloaded")
    .action(action(load, "listModels"));
  client(models.command("search [words...]"))
    .description("search the source of models (downloads.base_url)")
    .option("--limit <number>", "show at most this many (20)", wholeNumber)
    .action(action(load, "searchModels"));
  client(models.command("download <repository> [file]"))
    .description("download a model: owner/name, or the address of a file")
    .option("--revision <name>", "branch, tag or commit (main)")
    .option("--sha256 <digest>", "the expected digest of the file")
    .option("--keep-partial", "keep the partial file when the disk is full")
    .addHelpText("after", examples.download)
    .action(action(load, "downloadModel"));
  client(models.command("remove <id>"))
    .description("remove an installed model and its files, or an unfinished download")
    .action(action(load, "removeModel"));
}

function addConversations(conversations: Command, action: MakeAction): void {
  const load = () => import("./conversations.ts");
  client(conversations.command("list [words...]"))
    .description("list the newest, or those with these words in their titles")
    .option("--limit <number>", "show at most this many (20)", wholeNumber)
    .action(action(load, "listConversations"));
  client(conversations.command("export <id>"))
    .description("write a conversation with its memories, to-dos and results to a file")
    .addOption(
      new Option("--format <form>", "json can be imported, markdown is for reading")
        .choices(["json", "markdown"])
        .default("json"),
    )
    .option("--output <file>", "a new file (default: standard output)")
    .addHelpText("after", examples.export)
    .action(action(load, "exportConversation"));
  client(conversations.command("import <file>"))
    .description("import an exported conversation; prints its id")
    .addOption(
      new Option("--on-conflict <what>", "what to do if the conversation already exists")
        .choices(["new_id", "replace", "fail"])
        .default("new_id"),
    )
    .action(action(load, "importConversation"));
}

function addTools(tools: Command, action: MakeAction): void {
  const load = () => import("./tools.ts");
  client(tools.command("list"))
    .description("list the tools and their operations")
    .action(action(load, "listTools"));
  client(tools.command("call <name> [arguments...]"))
    .description("call a tool, such as file_operations.read_file")
    .option("--directory <path>", "working directory (default: this one)")
    .option("--yes", "call it in your own name, without asking for approval")
    .addHelpText("after", examples.call)
    .action(action(load, "callTool"));
}

function addSettings(settings: Command, action: MakeAction): void {
  const load = () => import("./settings.ts");
  client(settings.command("list [prefix]"))
    .description("list all preferences, and where each value comes from")
    .action(action(load, "listSettings"));
  client(settings.command("get <key>"))
    .description("show the current value")
    .action(action(load, "getSetting"));
  client(settings.command("set <key> <value>"))
    .description("change one; - reads the value from stdin")
    .addHelpText("after", examples.set)
    .action(action(load, "setSetting"));
  client(settings.command("unset <key>"))
    .description("go back to the default")
    .action(action(load, "unsetSetting"));
}

function addPlugins(plugins: Command, action: MakeAction): void {
  const load = () => import("./plugins.ts");
  common(plugins.command("list"))
    .description("list all plugins and their state")
    .action(action(load, "listPlugins"));
  common(plugins.command("inspect <id>"))
    .description("show everything about one plugin")
    .action(action(load, "inspectPlugin"));
  common(plugins.command("check [folders...]"))
    .description("load all plugins once, or those in the folders, and show what is wrong")
    .option("--trusted", "run those in the folders in this process, as `isolation: trusted` does")
    .addHelpText("after", examples.check)
    .action(action(load, "checkPlugins"));
}
