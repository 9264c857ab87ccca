import type { Command } from "commander";
import { action, localCommand } from "./define-command.ts";

const examples = {
  migrate: `
The target is a URL, "sqlite" (the file pergola.db in the data directory), "sqlite:<file>", "env:<variable>"
with one of these in it, or a settings file whose storage is meant, with its schema, TLS and secrets. It has
to be empty. Everything is copied, then read again on both sides and compared by counts and digests.
A running service goes on, and what it writes meanwhile is not in the copy: the command then ends with 1. Stop
the service and run the same command again, which copies only what has changed since. An interrupted command
goes on where it was. No service starts on a target that is not finished.
  $ pergola migrate --to postgres://pergola@db.example.com/pergola
  $ pergola migrate --to env:DATABASE_URL
  $ pergola migrate --to sqlite --settings with-postgres.json
  $ pergola migrate --to new.config.json --check`,
  status: `
It asks the database and needs no running service. What a host that is gone has left waits until another one
takes it over.
  $ pergola cluster status
  $ pergola cluster status --json`,
} as const;

/** Defines `pergola migrate` and `pergola cluster …`. */
export function addStorage(program: Command, cluster: Command): void {
  localCommand(program, "migrate", "move all that is kept to another storage, and compare both")
    .requiredOption(
      "--to <storage>",
      "postgres://…, sqlite, sqlite:<file>, env:<variable> or a settings file",
    )
    .option("--from <storage>", "the same for the source (default: the storage in the settings)")
    .option("--check", "copy nothing, only compare")
    .addHelpText("after", examples.migrate)
    .action(action(() => import("./migrate.ts"), "migrate"));
  localCommand(cluster, "status", "show the hosts on this storage, what they work on, and how far behind")
    .addHelpText("after", examples.status)
    .action(action(() => import("./cluster-status.ts"), "clusterStatus"));
}
