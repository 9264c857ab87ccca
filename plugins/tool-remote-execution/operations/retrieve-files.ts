import { defineOperation } from "@pergola/sdk";
import { withConnection } from "../connect.ts";
import { arrivalNames, arrivalTouches } from "../files/arrivals.ts";
import { CopyBudget } from "../files/copy-budget.ts";
import { copyIn, type Copied } from "../files/copy-in.ts";
import { sftpPath } from "../files/names.ts";
import { RemoteFiles } from "../files/remote-files.ts";
import { card, host, sshKey, sshPort } from "../parameters.ts";
import { checkPath } from "../ssh/shell.ts";
import { parseTarget } from "../ssh/target.ts";

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
    files: {
      type: "array",
      items: { type: "string", format: "path" },
      minItems: 1,
      description: "Files or folders on the machine",
    },
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
    const target = parseTarget(args.host, args.ssh_port);
    for (const file of args.files) checkPath("files", file);
    checkPath("directory", args.directory);
    const names = arrivalNames(args.files);
    const files = await withConnection(target, args.ssh_key, context, async (connection) => {
      const remote = await RemoteFiles.open(connection, context.signal);
      const budget = new CopyBudget();
      const copied: Copied[] = [];
      for (const [index, file] of args.files.entries())
        copied.push(
          ...(await copyIn(
            { remote, context, budget },
            sftpPath(file),
            `${args.directory}/${names[index] ?? ""}`,
          )),
        );
      return copied;
    });
    return { data: { host: args.host, files }, message: `Files copied from ${args.host}: ${files.length}.` };
  },
});
