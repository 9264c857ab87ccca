import type { Command } from "commander";
import { amount, clientCommand, names, onService, wholeNumber } from "./define-command.ts";

const example = `
  $ pergola schedules add "write today's plan to plan.md" --cron "0 7 * * 1-5" --max-cost 0.50
  $ pergola schedules add "remind me of the dentist" --at 2027-01-31T08:00 --max-cost 0.05
  $ pergola schedules pause "write today's plan to plan.md"`;

const times = `
Give --cron (minute, hour, day of the month, month, day of the week; or a nickname such as @daily) or --at. A
start that was due while no service ran is made once when it runs again; further ones are counted as missed.`;

/** Defines `pergola schedules …`. */
export function addSchedules(schedules: Command): void {
  const load = () => import("./schedules.ts");
  schedules.addHelpText("after", example);
  clientCommand(schedules, "list", "list schedules, and when each starts next").action(
    onService(load, "listSchedules"),
  );
  clientCommand(schedules, "show <schedule>", "show one, by its id or name").action(
    onService(load, "showSchedule"),
  );
  clientCommand(schedules, "add <prompt>", "start a run at a time, or again and again")
    .option("--cron <expression>", "when to start, again and again")
    .option("--at <time>", "when to start once, such as 2027-01-31T08:00")
    .requiredOption("--max-cost <usd>", "what one run may cost, in USD", amount)
    .option("--time-zone <name>", "zone of these times, such as Europe/Vienna (that of the service)")
    .option("--name <name>", "what it is called (how the prompt begins)")
    .option("--model <id>", "model (the default model at the time)")
    .option("--directory <path>", "working directory (one of its own)")
    .option("--tools <families>", "the only tool families to use, by commas", names)
    .option("--max-iterations <number>", "limit of model calls of a run", wholeNumber)
    .option("--conversation <id>", "go on in this conversation (one of its own)")
    .addHelpText("after", times)
    .action(onService(load, "addSchedule"));
  clientCommand(schedules, "pause <schedule>", "start no more runs").action(onService(load, "pauseSchedule"));
  clientCommand(schedules, "resume <schedule>", "start runs again").action(onService(load, "resumeSchedule"));
  clientCommand(schedules, "remove <schedule>", "delete one; its conversation stays").action(
    onService(load, "removeSchedule"),
  );
}
