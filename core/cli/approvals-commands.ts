import type { Command } from "commander";
import { clientCommand, onService } from "./define-command.ts";

const example = `
  $ pergola approvals list
  $ pergola approvals allow apr_3f0c --always
  $ pergola approvals deny apr_3f0c Move it to the archive instead.`;

/** Defines `pergola approvals …`. */
export function addApprovals(approvals: Command): void {
  const load = () => import("./approvals.ts");
  approvals.addHelpText("after", example);
  clientCommand(approvals, "list", "list the calls and questions that wait for you, each in full")
    .option("--all", "those that were answered, too")
    .option("--run <id>", "only those of this run")
    .action(onService(load, "listApprovals"));
  clientCommand(approvals, "show <id>", "show one, with its answer and result").action(
    onService(load, "showApproval"),
  );
  clientCommand(approvals, "allow <id>", "allow a call, exactly as it is listed")
    .option("--always", "and calls of this operation for the rest of its conversation")
    .action(onService(load, "allow"));
  clientCommand(approvals, "deny <id> [reason...]", "refuse a call; the model reads the reason").action(
    onService(load, "deny"),
  );
  clientCommand(approvals, "answer <id> <text...>", "answer a question that a tool asks").action(
    onService(load, "answer"),
  );
}
