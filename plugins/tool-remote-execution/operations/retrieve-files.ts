import { defineOperation } from "@pergola/sdk";
import { withMachine } from "../connect.ts";
import { arrivalNames, arrivalTouches } from "../files/arrivals.ts";
import { CopyBudget, type Copied } from "../files/copy-budget.ts";
import { copyIn } from "../files/copy-in.ts";
import { sftpPath } from "../files/names.ts";
import { RemoteFiles } from "../files/remote-files.ts";
import { card, files, host, sshKey, sshPort } from "../parameters.ts";
import { checkPath } from "../ssh/shell.ts";

export const retrieveFiles = defineOperation({
  name: "retrieve_files",
  description: "Copy files or folders from a machine.",
  effect: "execute",
  place: "external",
  recovery: "repeat",
  hidden: true,
  timeoutSeconds: 3600,
  parameters: {
    host,
    files: { ...files, description: "Files or folders on the machine" },
    directory: {
      type: "string",
      minLength: 1,
      format: "path",
      default: ".",
      description: "Folder here; it is made",
    },
    ssh_key: sshKey,
    ssh_port: sshPort,
  },
  required: ["host", "files"],
  examples: [{ say: "fetch report.csv from stats", arguments: { host: "ops@stats", files: ["report.csv"] } }],
  touches: ({ files, directory }) => arrivalTouches(files, directory),
  display: (args) => card("Copying from machine", args.host, args.files),
  async run(args, context) {
    for (const file of args.files) checkPath("files", file);
    checkPath("directory", args.directory);
    const names = arrivalNames(args.files);
    const copies = await withMachine(args, context, async (connection) => {
      const remote = await RemoteFiles.open(connection, context.signal);
      const copying = { remote, context, budget: new CopyBudget() };
      const copied: Copied[] = [];
      for (const [index, file] of args.files.entries()) {
        const path = `${args.directory}/${names[index] ?? ""}`;
        copied.push(...(await copyIn(copying, sftpPath(file), path)));
      }
      return copied;
    });
    return {
      data: { host: args.host, files: copies },
      message: `Files copied from ${args.host}: ${copies.length}.`,
    };
  },
});
