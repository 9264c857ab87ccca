import { defineOperation, ToolError } from "@pergola/sdk";
import { check, checkMachine } from "../checks.ts";
import { requireSsh, withMachine } from "../connect.ts";
import { card, host, login } from "../parameters.ts";

/** Failures that tell that a machine answered. */
const answerCodes = new Set(["permission_denied", "system_permission_denied"]);

export const checkRemote = defineOperation({
  name: "check_remote",
  description: "See whether a machine can be reached and used.",
  effect: "execute",
  place: "external",
  recovery: "repeat",
  parameters: { host, ...login },
  required: ["host"],
  display: (args) => card("Check machine", args.host),
  examples: [
    { say: "is deploy@web1.example.org reachable over ssh?", arguments: { host: "deploy@web1.example.org" } },
    { say: "check the remote host root@db1", arguments: { host: "root@db1" } },
    {
      say: "test the ssh connection to me@build on port 2222",
      arguments: { host: "me@build", ssh_port: 2222 },
    },
    { say: "what system runs on ops@stats?", arguments: { host: "ops@stats" } },
    { say: "can root@db1 be reached?", arguments: { host: "root@db1" } },
    { say: "can we reach me@build by ssh?", arguments: { host: "me@build" } },
    { say: "see if ops@stats answers", arguments: { host: "ops@stats" } },
    { say: "check whether root@db1 is reachable", arguments: { host: "root@db1" } },
    { say: "is me@build online?", arguments: { host: "me@build" } },
    { say: "which operating system does root@db1 run?", arguments: { host: "root@db1" } },
    { say: "which system does root@db1 have?", arguments: { host: "root@db1" } },
    { say: "does me@build answer?", arguments: { host: "me@build" } },
  ],
  async run(args, context) {
    requireSsh();
    try {
      const found = await withMachine(args, context, (connection) =>
        checkMachine(connection, context.signal),
      );
      return {
        data: {
          host: args.host,
          reachable: true,
          system: found.system,
          checks: [check("login", true, "logged in"), ...found.checks],
        },
        message: found.checks.every(({ ok }) => ok) ? "It is ready." : "Some checks failed.",
      };
    } catch (error) {
      if (!ToolError.is(error) || context.signal.aborted || error.code === "invalid_value") throw error;
      const checks = [check("login", false, error.message)];
      return {
        data: { host: args.host, reachable: answerCodes.has(error.code), system: "", checks },
        message: error.hint,
      };
    }
  },
});
