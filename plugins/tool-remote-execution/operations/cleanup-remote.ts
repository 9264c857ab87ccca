import { defineOperation } from "@pergola/sdk";
import { withMachine } from "../connect.ts";
import { removeInstallFolder } from "../install-folder.ts";
import { card, host, installDir, login } from "../parameters.ts";
import { checkPath } from "../ssh/shell.ts";

export const cleanupRemote = defineOperation({
  name: "cleanup_remote",
  description: "Remove what prepare_remote made and what kept commands left.",
  effect: "destructive",
  place: "external",
  recovery: "repeat",
  parameters: { host, install_dir: installDir, ...login },
  required: ["host"],
  display: (args) => card("Clear machine", args.host, [args.install_dir]),
  examples: [
    { say: "clean up root@db1", arguments: { host: "root@db1" } },
    { say: "remove our files from deploy@web1.example.org", arguments: { host: "deploy@web1.example.org" } },
    {
      say: "remove /srv/pergola from me@build",
      arguments: { host: "me@build", install_dir: "/srv/pergola" },
    },
    { say: "we are done with ops@stats, clear it", arguments: { host: "ops@stats" } },
    { say: "tidy up deploy@web1.example.org", arguments: { host: "deploy@web1.example.org" } },
    { say: "clean up after us on root@db1", arguments: { host: "root@db1" } },
    { say: "tidy up me@build, we are done there", arguments: { host: "me@build" } },
    { say: "delete our files on me@build", arguments: { host: "me@build" } },
    { say: "we are done with ops@stats, clean it up", arguments: { host: "ops@stats" } },
    { say: "clear root@db1", arguments: { host: "root@db1" } },
  ],
  async run(args, context) {
    checkPath("install_dir", args.install_dir);
    const removed = await withMachine(args, context, (connection) =>
      removeInstallFolder(connection, args.install_dir, context.signal),
    );
    return {
      data: { host: args.host, removed },
      message: removed.length === 0 ? "There was nothing to remove." : "Removed.",
    };
  },
});
