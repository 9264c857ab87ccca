import type { Command } from "commander";
import { action, localCommand } from "./define-command.ts";

const examples = {
  add: `
Before you agree, its code is loaded once, in the sandbox and without any permission, to learn its tools;
where no sandbox works, and with --trusted, it is not loaded. Its install scripts never run. Without a
terminal, look at it with --dry-run, and repeat the command with --yes --permissions and the digest behind
"consent".
  $ pergola plugins add tool-dice
  $ pergola plugins add tool-dice@^1
  $ pergola plugins add git+https://example.org/tool-dice.git#3f2a91c
  $ pergola plugins add ./tool-dice-1.0.0.tgz
  $ pergola plugins add ./tool-dice --link        your own, while you work on it`,
  new: `
Kinds: tool, provider, storage, endpoint, policy, bridge, service, feature, bundle.
  $ pergola plugins new tool dice        makes pergola-tool-dice, with manifest, types, tests, CI and README
  $ cd pergola-tool-dice
  $ npm install
  $ npm test`,
  check: `
  $ pergola plugins check                the plugins of the settings
  $ pergola plugins check ./my-plugin    a plugin you are writing, with the standard plugins
  $ pergola plugins check ./dice.ts      a tool in a single file
With --settings, other plugins that this file names are loaded only if they are approved in the data folder
that --data names.`,
  dev: `
It runs the plugin (./ by default), or a tool in a single file, with the standard plugins in a service of its
own, on empty data that is removed at the end. After each save it builds the package (npm run build), checks
it and puts it in the place of what runs; what is faulty does not get there.
  $ pergola plugins dev                                   then write: call count_words {"text": "to be"}
  $ pergola plugins dev ./dice.ts --call 'run {"count": 3}'
  $ pergola plugins dev ./my-policy --trusted             kinds other than tools run in the host's process`,
} as const;

/** The options of what is decided on. */
const withConsent = (command: Command): Command =>
  command
    .option("--yes", "do not ask where nothing more is asked for than before")
    .option("--permissions <digest>", "with --yes: agree to exactly what --dry-run has shown")
    .option("--dry-run", "only show what it asks for");

/** Defines the commands on plugins. */
export function addPlugins(plugins: Command): void {
  const load = () => import("./plugins.ts");
  const supply = () => import("./plugin-add.ts");
  const turn = () => import("./plugin-switch.ts");
  plugins
    .command("new <kind> <name>")
    .description("make a package for a plugin of your own, below this folder")
    .option("--json", "machine-readable output")
    .addHelpText("after", examples.new)
    .action(action(() => import("./plugin-new.ts"), "newPlugin"));
  localCommand(plugins, "list", "list all plugins and their state").action(action(load, "listPlugins"));
  localCommand(plugins, "inspect <id>", "show everything about one plugin").action(
    action(load, "inspectPlugin"),
  );
  withConsent(
    localCommand(plugins, "add <source>", "add one: a package, git+https://…#commit, a folder or a tarball"),
  )
    .option("--offline", "ask no registry")
    .option("--link", "use a folder of your own where it lies; it is not pinned")
    .option("--trusted", "run it in the host's process, with all that the host may do")
    .addHelpText("after", examples.add)
    .action(action(supply, "addPlugin"));
  withConsent(localCommand(plugins, "update [id]", "take newer versions of one, or of all that were added"))
    .option("--offline", "ask no registry")
    .action(action(supply, "updatePlugins"));
  withConsent(
    localCommand(plugins, "approve <id>", "take one as it is now: new in the settings, or changed"),
  ).action(action(() => import("./plugin-approve.ts"), "approvePlugin"));
  localCommand(plugins, "remove <id>", "take out one that was added, with its files").action(
    action(turn, "removePlugin"),
  );
  localCommand(
    plugins,
    "enable <id>",
    "switch one on again; also tries one again that failed too often",
  ).action(action(turn, "enablePlugin"));
  localCommand(plugins, "disable <id>", "switch one off").action(action(turn, "disablePlugin"));
  localCommand(plugins, "rollback <id>", "go back to the version before the last update")
    .option("--yes", "do not ask")
    .action(action(turn, "rollBackPlugin"));
  localCommand(
    plugins,
    "check [paths...]",
    "load all plugins once, or those in these folders and files, and show what is wrong",
  )
    .option("--trusted", "run those at the paths in this process, as `isolation: trusted` does")
    .option("--no-types", "leave out errors of types, which take longest to find")
    .addHelpText("after", examples.check)
    .action(action(load, "checkPlugins"));
  localCommand(plugins, "dev [path]", "run a plugin that you are writing, and again after each save")
    .option("--trusted", "run it in this process, as `isolation: trusted` does")
    .option("--call <operation and arguments>", "call an operation, show the result and end")
    .option("--yes", "make calls in your own name, without asking for approval")
    .addHelpText("after", examples.dev)
    .action(action(() => import("./plugin-dev.ts"), "developPlugin"));
}
