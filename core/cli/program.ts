import { Command } from "commander";
import { addApprovals } from "./approvals-commands.ts";
import { addConversations } from "./conversations-commands.ts";
import { addBackup } from "./backup-commands.ts";
import { action, clientCommand, localCommand, names, onService, wholeNumber } from "./define-command.ts";
import { exitCodes, exitMeanings } from "./exit-codes.ts";
import { addExtras } from "./extras-commands.ts";
import { addLogs } from "./logs-command.ts";
import { addHeld } from "./held-commands.ts";
import { addMemory } from "./memory-commands.ts";
import { addModels } from "./models-commands.ts";
import { addPlugins } from "./plugins-commands.ts";
import { addPrograms } from "./programs-commands.ts";
import { addRuns } from "./runs-commands.ts";
import { addSchedules } from "./schedules-commands.ts";
import { addStorage } from "./storage-commands.ts";
import { addTokens } from "./tokens-commands.ts";
import { addSecrets } from "./secrets-commands.ts";

const codes = Object.entries(exitCodes).map(
  ([name, code]) => `  ${String(code).padEnd(5)}${exitMeanings[name as keyof typeof exitCodes]}`,
);

const help = `
Start with:
  $ pergola start                        serve on http://127.0.0.1:8080
  $ pergola chat                         chat; starts a service for the moment if none is running
  $ pergola run "list the files here"    work on a task until it is done
  $ pergola open                         open the page of the running service
  $ pergola connect                      let an editor or another program use it
  $ pergola undo                         take back the last changes to files
  $ pergola init                         write a settings file to edit
  $ pergola status                       show how the service is, and what waits for you
  $ pergola logs --follow                show what the service logs
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
Ctrl-C stops an answer, or clears what you are writing. Twice, or on an empty line, it quits, as does Ctrl-D.
A call that needs your approval is first shown in full. At a terminal, /help lists the commands of the chat.
  $ pergola chat --continue
  $ pergola chat --model openai/gpt-4o --conversation notes
  $ echo "What is in this folder?" | pergola chat      each line is a message`,
  run: `
The answer goes to stdout, the steps go to stderr. Without a terminal nobody can approve calls: those that
--allow does not name are refused, or, if the service runs on its own, wait for pergola approvals (--wait).
  $ pergola run "summarise README.md" --max-iterations 20 > summary.txt
  $ pergola run "delete the backups" --allow file_operations.delete_file < /dev/null`,
  undo: `
Without an id, it undoes the last run that changed files. If a file was changed since, nothing is undone
unless you give --partial. You can undo the undo with the id shown at its end. pergola runs list shows ids.
  $ pergola undo --list
  $ pergola undo
  $ pergola undo run_0123456789abcdef0123456789abcdef --only src/main.ts docs`,
  acp: `
Editors such as Zed and those of JetBrains start this command themselves. It uses the service that runs, or
one of its own. docs/editors.md shows the settings of each.
  Zed: "agent_servers": {"Pergola": {"type": "custom", "command": "pergola", "args": ["acp"]}}`,
  call: `
Arguments are name=value pairs, or one JSON object.
  $ pergola tools call file_operations.read_file filePath=README.md
  $ pergola tools call file_operations '{"operation": "list_dir", "path": "."}'`,
  trust: `
Each file is shown first, and is bound to its bytes: one that changes or comes later does not count until you
trust the folder again. Without a folder, it lists those that you trust.
  $ pergola trust .
  $ pergola trust
  $ pergola trust . --remove`,
  set: `
Write lists with commas, and records or lists of records as JSON. To change what a flag, the environment or
the settings file sets, change it there.
  $ pergola settings set default_model openai/gpt-4o
  $ pergola settings set tools.disabled think,weather_operations
  $ pergola settings set downloads.token - < token.txt`,
} as const;

/** The options of what a model works on. */
const forModel = (command: Command): Command =>
  command
    .option("--model <id>", "model (default: the preference default_model)")
    .option("--directory <path>", "working directory (default: this one; with --url, one of its own)")
    .option("--allow <operations>", "operations or families to allow without asking, by commas", names)
    .option(
      "--wait <seconds>",
      "without a terminal: how long pergola approvals can answer (600)",
      wholeNumber,
    );

/** A command that has others below it, or is defined here in full. */
const group = (program: Command, name: string, description: string): Command =>
  program.command(name).description(description);

type Define = (program: Command) => void;

/** What defines each command; some come together. */
export const commands: Readonly<Record<string, Define>> = {
  start: addConversing,
  chat: addConversing,
  run: addConversing,
  open: addConversing,
  undo: addConversing,
  acp: addEditors,
  connect: addPrograms,
  mcp: addPrograms,
  approvals: (program) =>
    addApprovals(group(program, "approvals", "list and answer the calls that wait for you")),
  held: (program) =>
    addHeld(group(program, "held", "list, put back or throw away what programs made under protected names")),
  runs: (program) => addRuns(group(program, "runs", "list, show, resume and cancel runs")),
  schedules: (program) =>
    addSchedules(group(program, "schedules", "list, make, pause and delete runs that start by themselves")),
  models: (program) => addModels(group(program, "models", "find, download and remove models")),
  conversations: (program) =>
    addConversations(
      group(program, "conversations", "list, show, rename, delete, export and import conversations"),
    ),
  tools: (program) => addTools(group(program, "tools", "list the tools, or call one")),
  memory: (program) => addMemory(group(program, "memory", "list, change and delete what is remembered")),
  settings: (program) => addSettings(group(program, "settings", "list and change the preferences")),
  init: addInit,
  secrets: (program) =>
    addSecrets(group(program, "secrets", "keep keys and passwords for settings to refer to")),
  tokens: (program) =>
    addTokens(group(program, "tokens", "make, list, rotate and revoke the tokens of other devices")),
  plugins: (program) => addPlugins(group(program, "plugins", "add, update, approve, list and check plugins")),
  extras: (program) =>
    addExtras(group(program, "extras", "list and fetch what is too large for every installation")),
  service: (program) =>
    addService(group(program, "service", "let Pergola start at each login, by systemd or launchd")),
  status: addStatus,
  logs: addLogs,
  backup: addBackup,
  restore: addBackup,
  cluster: addStores,
  migrate: addStores,
  audit: addAudit,
  doctor: addDoctor,
  trust: addTrust,
};

/**
 * Defines the command line: the command of this name alone, or all where there is none. A command that has
 * run leaves its exit code in `process.exitCode`.
 */
export function makeProgram(version: string, name = ""): Command {
  const program = new Command("pergola")
    .description("A local chat-and-agent service.")
    .version(version)
    .addHelpText("after", help);
  // The options behind `mcp import` are those of `import`, not of `mcp`.
  program.enablePositionalOptions();
  program.exitOverride();
  const wanted = Object.hasOwn(commands, name) ? [commands[name]!] : Object.values(commands);
  for (const define of new Set(wanted)) define(program);
  nameHelp(program, "pergola");
  return program;
}

/** What is wrong with a command line is followed by the help of the command that was meant. */
function nameHelp(command: Command, words: string): void {
  command.showHelpAfterError(`(Run ${words} --help to see how it is used.)`);
  for (const each of command.commands) nameHelp(each, `${words} ${each.name()}`);
}

function addConversing(program: Command): void {
  localCommand(program, "start", "serve until stopped")
    .addHelpText("after", examples.start)
    .action(action(() => import("./start.ts"), "start"));
  forModel(
    clientCommand(program, "chat", "chat with a model; shows its tool calls and asks for your approvals"),
  )
    .option("--conversation <id>", "continue this conversation: a UUID or any name")
    .option("-c, --continue", "continue the last conversation")
    .option("--no-history", "neither keep what you enter for the next chat nor bring back what was kept")
    .addHelpText("after", examples.chat)
    .action(onService(() => import("./chat.ts"), "chat"));
  forModel(clientCommand(program, "run <task>", "work on a task until it is done, showing each step"))
    .option("--max-iterations <number>", "limit of model calls", wholeNumber)
    .addHelpText("after", examples.run)
    .action(onService(() => import("./run.ts"), "run"));
  localCommand(program, "open", "open the page of the running service in your browser, signed in")
    .option("--print", "only print its address; a sign-in code in it works once, for a minute")
    .action(action(() => import("./open.ts"), "open"));
  clientCommand(program, "undo [run]", "take back a run's changes to files")
    .option("--list", "only list the changes")
    .option("--only <paths...>", "only these files and folders")
    .option("--partial", "undo what can be undone when something cannot")
    .option("--yes", "do not ask")
    .addHelpText("after", examples.undo)
    .action(onService(() => import("./undo.ts"), "undo"));
}

/** Defines the command that editors start. */
function addEditors(program: Command): void {
  clientCommand(program, "acp", "serve an editor by the Agent Client Protocol, on stdin and stdout")
    .option("--setup", "in place of that, choose the model that answers, at the terminal")
    .addHelpText("after", examples.acp)
    .action(action(() => import("./acp.ts"), "acp"));
}

function addInit(program: Command): void {
  group(program, "init", "write a settings file that names the common settings with their defaults")
    .option("--settings <file>", "write this file instead of the one in ~/.config/pergola")
    .option("--force", "overwrite the file if it is there")
    .option("--json", "machine-readable output")
    .action(action(() => import("./init.ts"), "init"));
}

function addStatus(program: Command): void {
  clientCommand(program, "status", "show how the running service is, and what it works on").action(
    action(() => import("./status.ts"), "showStatus"),
  );
}

function addStores(program: Command): void {
  addStorage(program, group(program, "cluster", "show the hosts that share a storage"));
}

function addAudit(program: Command): void {
  localCommand(program, "audit", "show who did what")
    .option("--since <duration>", "only what is younger, such as 2d")
    .option("--caller <id>", "only what this caller did, by its id or name")
    .option("--refused", "only what was refused")
    .option("--verify", "check that no line was changed or removed")
    .action(action(() => import("./audit.ts"), "showAudit"));
}

function addDoctor(program: Command): void {
  localCommand(
    program,
    "doctor",
    "show what is found and from where, what is missing and how to get it",
  ).action(action(() => import("./doctor.ts"), "doctor"));
}

function addTrust(program: Command): void {
  group(
    program,
    "trust [folder]",
    "let a folder's settings, instructions, skills and tools count, as they are now",
  )
    .option("--remove", "trust it no more")
    .option("--yes", "do not ask")
    .option("--json", "machine-readable output")
    .addHelpText("after", examples.trust)
    .action(action(() => import("./trust.ts"), "trust"));
}

function addService(service: Command): void {
  const load = () => import("./login-service.ts");
  localCommand(service, "install", "start it now and at each login, with these options").action(
    action(load, "installService"),
  );
  localCommand(service, "status", "show whether it is installed and runs").action(
    action(load, "serviceStatus"),
  );
  localCommand(service, "uninstall", "stop it, and start it no more; settings and data stay").action(
    action(load, "uninstallService"),
  );
}

function addTools(tools: Command): void {
  const load = () => import("./tools.ts");
  clientCommand(tools, "list", "list the tools and their operations").action(onService(load, "listTools"));
  clientCommand(tools, "call <name> [arguments...]", "call a tool, such as file_operations.read_file")
    .option("--directory <path>", "working directory (default: this one; with --url, one of its own)")
    .option("--yes", "call it in your own name, without asking for approval")
    .addHelpText("after", examples.call)
    .action(action(load, "callTool"));
}

function addSettings(settings: Command): void {
  const load = () => import("./settings.ts");
  const withoutKeys = { secretsMayMiss: true };
  clientCommand(settings, "list [prefix]", "list all preferences, and where each value comes from").action(
    onService(load, "listSettings", withoutKeys),
  );
  clientCommand(settings, "get <key>", "show the current value").action(
    onService(load, "getSetting", withoutKeys),
  );
  clientCommand(settings, "set <key> <value>", "change one; - reads the value from stdin")
    .addHelpText("after", examples.set)
    .action(action(load, "setSetting"));
  clientCommand(settings, "unset <key>", "go back to the default").action(
    onService(load, "unsetSetting", withoutKeys),
  );
}
