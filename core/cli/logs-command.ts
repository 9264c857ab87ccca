import { Option, type Command } from "commander";
import { action, localCommand, wholeNumber } from "./define-command.ts";

const example = `
The service keeps its newest lines, at most 10 MiB, in <data>/logs; log.level says how much it logs.
  $ pergola logs --follow
  $ pergola logs --level warn -n 200
  $ pergola logs --plugin tool-dice --json`;

/** Defines `pergola logs`. */
export function addLogs(program: Command): void {
  localCommand(program, "logs", "show the last lines that the service has logged")
    .option("-f, --follow", "go on with those that come, until Ctrl-C")
    .option("--plugin <id>", "only those of this plugin")
    .addOption(
      new Option("--level <level>", "only those of this level and above").choices([
        "error",
        "warn",
        "info",
        "debug",
      ]),
    )
    .option("-n, --lines <number>", "show at most so many of the past (50)", wholeNumber)
    .addHelpText("after", example)
    .action(action(() => import("./logs.ts"), "showLogs"));
}
