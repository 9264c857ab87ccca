import { defineOperation, ToolError, type ToolContext } from "@pergola/sdk";
import { withConnection } from "../connect.ts";
import { checkCommand, execute, type CommandArguments, type RemoteResult } from "../execute.ts";
import { arrivalTouches } from "../files/arrivals.ts";
import { folderName } from "../files/names.ts";
import { inParallel } from "../in-parallel.ts";
import { card, commandParameters, commandPreview } from "../parameters.ts";
import { selectTargets, type Groups } from "../select-targets.ts";
import type { Target } from "../ssh/target.ts";

/** Machines worked on at the same time. */
const width = 8;
/** Bytes kept of each of stdout and stderr of all machines together. */
const outputBytes = 1 << 20;

type Outcome =
  | (RemoteResult & { readonly notes?: readonly string[] })
  | { readonly host: string; readonly error: string; readonly error_code: string; readonly message: string };

const succeeded = (outcome: Outcome): boolean => "exitCode" in outcome && outcome.exitCode === 0;

/** One machine's result; its failure is a result too, unless the call itself was ended. */
async function outcomeOn(
  target: Target,
  args: CommandArguments,
  context: ToolContext,
  share: number,
): Promise<Outcome> {
  const options = { outputBytes: share, folder: folderName(target), report: () => undefined };
  try {
    const work = await withConnection(target, args.ssh_key, context, (connection) =>
      execute(connection, args, context, options),
    );
    return { ...work.result, ...(work.notes.length > 0 && { notes: work.notes }) };
  } catch (error) {
    if (!ToolError.is(error) || context.signal.aborted) throw error;
    return { host: target.label, error: error.message, error_code: error.code, message: error.hint };
  }
}

export const executeParallel = defineOperation({
  name: "execute_parallel",
  description: "Run a command on several machines at once; output files arrive in a folder for each.",
  effect: "execute",
  place: "external",
  recovery: "once",
  timeoutSeconds: 34_000,
  parameters: {
    targets: {
      type: "array",
      items: { type: "string" },
      minItems: 1,
      description: "user@host, groups, or all",
    },
    ...commandParameters,
  },
  required: ["targets", "command"],
  // Stands for the folder of each machine, whose name the settings know.
  touches: ({ output_files }) => arrivalTouches(output_files, "user@host"),
  display: (args) => card("Run remotely", `${args.command} on ${args.targets.join(", ")}`, [args.command]),
  preview: (args) => commandPreview(args, args.targets),
  examples: [
    { say: "run uptime on all servers", arguments: { targets: ["all"], command: "uptime" } },
    {
      say: "check the free disk of the group web with df -h",
      arguments: { targets: ["web"], command: "df -h" },
    },
    {
      say: "run hostname on a@one and b@two",
      arguments: { targets: ["a@one", "b@two"], command: "hostname" },
    },
    {
      say: "restart nginx on every host of web: systemctl restart nginx",
      arguments: { targets: ["web"], command: "systemctl restart nginx" },
    },
    { say: "run df -h on the group web", arguments: { targets: ["web"], command: "df -h" } },
    { say: "execute date on a@one and b@two", arguments: { targets: ["a@one", "b@two"], command: "date" } },
    { say: "run uptime on all machines", arguments: { targets: ["all"], command: "uptime" } },
  ],
  async run(args, context) {
    checkCommand(args);
    const groups = ((await context.preference("tools.remote.targets")) ?? {}) as Groups;
    const targets = selectTargets(args.targets, groups, args.ssh_port);
    const share = Math.floor(outputBytes / targets.length);
    let done = 0;
    context.progress(`0 of ${targets.length} machines done`);
    const results = await inParallel(targets, width, async (target) => {
      const outcome = await outcomeOn(target, args, context, share);
      context.progress(`${(done += 1)} of ${targets.length} machines done: ${target.label}`);
      return outcome;
    });
    const good = results.filter(succeeded).length;
    const failed = results.length - good;
    const sentences = [`Exit code 0 on ${good} of ${results.length} machines.`];
    if (failed > 0) sentences.push("Look at the others' results.");
    return {
      data: { results, succeeded: good, failed },
      message: sentences.join(" "),
    };
  },
});
