import { defineOperation } from "@pergola/sdk";
import { check, checkMachine } from "../checks.ts";
import { withMachine } from "../connect.ts";
import { makeInstallFolder } from "../install-folder.ts";
import { card, host, installDir, login } from "../parameters.ts";
import { checkPath } from "../ssh/shell.ts";

export const prepareRemote = defineOperation({
  name: "prepare_remote",
  description: "Check a machine and make a folder on it.",
  effect: "execute",
  place: "external",
  recovery: "repeat",
  parameters: { host, install_dir: installDir, ...login },
  required: ["host"],
  display: (args) => card("Prepare machine", args.host),
  examples: [
    { say: "prepare root@db1 for remote work", arguments: { host: "root@db1" } },
    {
      say: "set up deploy@web1.example.org for remote commands",
      arguments: { host: "deploy@web1.example.org" },
    },
    {
      say: "prepare me@build with the folder /srv/pergola",
      arguments: { host: "me@build", install_dir: "/srv/pergola" },
    },
    { say: "get the machine ops@stats on port 2222 ready", arguments: { host: "ops@stats", ssh_port: 2222 } },
    { say: "make root@db1 ready for commands", arguments: { host: "root@db1" } },
    {
      say: "set up me@build with the folder /srv/work",
      arguments: { host: "me@build", install_dir: "/srv/work" },
    },
    { say: "prepare root@db1", arguments: { host: "root@db1" } },
    { say: "prepare me@build on port 2222", arguments: { host: "me@build", ssh_port: 2222 } },
    { say: "get root@db1 ready for remote commands", arguments: { host: "root@db1" } },
  ],
  async run(args, context) {
    checkPath("install_dir", args.install_dir);
    context.progress(`Connecting to ${args.host}`);
    const checks = await withMachine(args, context, async (connection) => {
      const machine = await checkMachine(connection, context.signal);
      const folder = await makeInstallFolder(connection, args.install_dir, context.signal);
      return [check("login", true, "logged in"), ...machine.checks, folder];
    });
    const ready = checks.every(({ ok }) => ok);
    return {
      data: { host: args.host, ready, checks },
      message: ready ? "It is ready." : "It is not ready; see the checks that failed.",
    };
  },
});
