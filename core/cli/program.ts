import { Command } from "commander";
import type { CommonOptions } from "./service.ts";

const common = (command: Command): Command =>
  command
    .option("--settings <file>", "use this settings file")
    .option("--data <directory>", "keep everything in this directory")
    .option("--port <number>", "port of the service (8080)")
    .option("--json", "machine-readable output");

const client = (command: Command): Command => common(command).option("--url <address>", "talk to the service at this address");

const help = `
Start with:
  $ pergola start                        serve on http://127.0.0.1:8080
  $ pergola chat                         talk to it; starts one for the moment if none runs
  $ pergola run "list the files here"    work on a task until it is done
  $ pergola doctor                       what is found, what is missing, how to get it

Exit codes: 0 done, 1 the work failed, 2 wrong command line or settings, 3 the service could not start or be reached, 130 stopped by Ctrl-C.`;

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
    .action(does(async (options: CommonOptions) => (await import("./start.ts")).start(options)));
  client(program.command("chat"))
    .description("talk to a model; tools are shown as they work, approvals are asked here")
    .option("--model <id>", "model (default: the preference default_model)")
    .option("--conversation <id>", "go on with this conversation: a UUID or any name")
    .option("--directory <path>", "working directory (default: this one)")
    .action(does(async (options: CommonOptions) => (await import("./chat.ts")).chat(options)));
  client(program.command("run <task>"))
    .description("work on a task until it is done, showing the steps")
    .option("--model <id>", "model (default: the preference default_model)")
    .option("--directory <path>", "working directory (default: this one)")
    .option("--max-iterations <number>", "limit of model calls")
    .action(does(async (task: string, options: CommonOptions) => (await import("./run.ts")).run(task, options)));
  const tools = program.command("tools").description("list the tools, or call one by hand");
  client(tools.command("list"))
    .description("tool families and their operations")
    .action(does(async (options: CommonOptions) => (await import("./tools.ts")).listTools(options)));
  client(tools.command("call <name> [arguments...]"))
    .description("call a tool: pergola tools call file_operations.read_file filePath=README.md")
    .option("--directory <path>", "working directory (default: this one)")
    .option("--yes", "make the call as your own: no approval is asked")
    .action(
      does(async (name: string, given: readonly string[], options: CommonOptions) =>
        (await import("./tools.ts")).callTool(name, given, options),
      ),
    );
  const plugins = program.command("plugins").description("look at the plugins");
  common(plugins.command("list"))
    .description("all plugins and their state")
    .action(does(async (options: CommonOptions) => (await import("./plugins.ts")).listPlugins(options)));
  common(plugins.command("inspect <id>"))
    .description("everything known of one")
    .action(does(async (id: string, options: CommonOptions) => (await import("./plugins.ts")).inspectPlugin(id, options)));
  common(plugins.command("check"))
    .description("load all once and tell what is wrong")
    .action(does(async (options: CommonOptions) => (await import("./plugins.ts")).checkPlugins(options)));
  common(program.command("doctor"))
    .description("what is found, from where, what is missing and how to get it")
    .action(does(async (options: CommonOptions) => (await import("./doctor.ts")).doctor(options)));
  program
    .command("trust <folder>")
    .description("let the settings file of this folder do everything")
    .action(does(async (folder: string) => (await import("./trust.ts")).trust(folder)));
  return program;
}
