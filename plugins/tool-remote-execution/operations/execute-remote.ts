import { defineOperation } from "@pergola/sdk";
import { withMachine } from "../connect.ts";
import { checkCommand, execute } from "../execute.ts";
import { arrivalTouches } from "../files/arrivals.ts";
import { card, commandParameters, commandPreview, host } from "../parameters.ts";

/** Bytes kept of each of stdout and stderr. */
const outputBytes = 1 << 20;

export const executeRemote = defineOperation({
  name: "execute_remote",
  description: "Run a command on another machine over SSH.",
  effect: "execute",
  place: "external",
  recovery: "once",
  timeoutSeconds: 4200,
  parameters: { host, ...commandParameters },
  required: ["host", "command"],
  touches: ({ output_files }) => arrivalTouches(output_files),
  display: (args) => card("Run remotely", `${args.command} on ${args.host}`, [args.command]),
  preview: (args) => commandPreview(args, [args.host]),
  examples: [
    {
      say: "run uptime on deploy@web1.example.org",
      arguments: { host: "deploy@web1.example.org", command: "uptime" },
    },
    { say: "on root@db1 run df -h", arguments: { host: "root@db1", command: "df -h" } },
    {
      say: "ssh to me@build and run make in /srv/app",
      arguments: { host: "me@build", command: "make", working_dir: "/srv/app" },
    },
    {
      say: "run ./report.sh on ops@stats within 60 seconds and bring back report.csv",
      arguments: { host: "ops@stats", command: "./report.sh", timeout: 60, output_files: ["report.csv"] },
    },
    { say: "execute hostname on root@db1", arguments: { host: "root@db1", command: "hostname" } },
    { say: "log in to me@build and run git pull", arguments: { host: "me@build", command: "git pull" } },
    { say: "connect to ops@stats and run uptime", arguments: { host: "ops@stats", command: "uptime" } },
  ],
  async run(args, context) {
    checkCommand(args);
    context.progress(`Connecting to ${args.host}`);
    const report = (line: string): void => context.progress(line);
    const { result, notes } = await withMachine(args, context, (connection) =>
      execute(connection, args, context, { outputBytes, folder: "", report }),
    );
    const sentences = [`Ran on ${args.host}.`];
    if (result.exitCode !== null) sentences.push(`Exit code ${result.exitCode}.`);
    return { data: result, message: [...sentences, ...notes].join(" ") };
  },
});
