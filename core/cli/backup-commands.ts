import type { Command } from "commander";
import { action, localCommand } from "./define-command.ts";

const examples = {
  backup: `
A running service goes on meanwhile. Without a name the file is pergola-<time>.tar.gz in this folder. It holds
conversations, memories, files of workspaces and all else that is kept, readable for whoever has it; secrets
in it stay encrypted. Downloaded models and your settings (~/.config/pergola) are not in it.
  $ pergola backup
  $ pergola backup /media/stick/pergola.tar.gz`,
  restore: `
The service must be stopped. What is there is kept beside it, and the audit and downloaded models stay. A file
that is damaged, or that a newer Pergola wrote, changes nothing.
  $ pergola restore pergola-2026-11-26T15-04-05Z.tar.gz
  $ pergola restore /media/stick/pergola.tar.gz --data ./copy --yes`,
} as const;

/** Defines `pergola backup` and `pergola restore`. */
export function addBackup(program: Command): void {
  localCommand(program, "backup [file]", "write all that is kept into one file, while a service runs or not")
    .addHelpText("after", examples.backup)
    .action(action(() => import("./backup.ts"), "backup"));
  localCommand(program, "restore <file>", "put a backup in the place of all that is kept")
    .option("--yes", "do not ask")
    .addHelpText("after", examples.restore)
    .action(action(() => import("./restore.ts"), "restore"));
}
