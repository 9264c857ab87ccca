import type { Command } from "commander";
import { action, localCommand } from "./define-command.ts";

const example = `
Says which packages it fetches and how large they are, and asks.
  $ pergola extras add documents`;

/** Defines the commands on extras. */
export function addExtras(extras: Command): void {
  const load = () => import("./extras.ts");
  localCommand(extras, "list", "list the extras, what each is for, and whether it is installed").action(
    action(load, "listExtras"),
  );
  localCommand(extras, "add <names...>", "fetch extras from the npm registry")
    .option("--yes", "do not ask")
    .addHelpText("after", example)
    .action(action(load, "fetchExtras"));
}
