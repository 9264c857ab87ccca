import { Option, type Command } from "commander";
import { clientCommand, onService, wholeNumber } from "./define-command.ts";

const example = `
  $ pergola runs list --status waiting
  $ pergola runs show run_0123456789abcdef0123456789abcdef
  $ pergola runs export run_0123456789abcdef0123456789abcdef --as-test test`;

/** Defines `pergola runs …`. */
export function addRuns(runs: Command): void {
  const load = () => import("./runs.ts");
  runs.addHelpText("after", example);
  clientCommand(runs, "list", "list the newest runs, and what they changed")
    .option("--conversation <id>", "only those of this conversation")
    .addOption(
      new Option("--status <state>", "only those in this state").choices([
        "queued",
        "running",
        "waiting",
        "interrupted",
        "ended",
      ]),
    )
    .option("--limit <number>", "show at most this many (20)", wholeNumber)
    .action(onService(load, "listRuns"));
  clientCommand(runs, "show <id>", "show how a run stands, and what to do with it").action(
    onService(load, "showRun"),
  );
  clientCommand(runs, "explain <id>", "show step by step which plugin did what, and what it took and cost")
    .option("--full", "show long texts whole")
    .action(onService(() => import("./explain-run.ts"), "explainRun"));
  clientCommand(runs, "resume <id>", "go on with an interrupted run, and follow it").action(
    onService(load, "resumeRun"),
  );
  clientCommand(runs, "export <id>", "write an ended run as a test that replays it")
    .requiredOption("--as-test [folder]", "write a recording and a mocha test into this folder (.)")
    .option("--name <name>", "what the two files are called (the conversation's title)")
    .action(onService(() => import("./runs-export.ts"), "exportRun"));
  clientCommand(runs, "cancel <id>", "cancel a run").action(onService(load, "cancelRun"));
}
