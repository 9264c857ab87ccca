import { defineOperation } from "@pergola/sdk";
import { withMachine } from "../connect.ts";
import { arrivalNames } from "../files/arrivals.ts";
import { CopyBudget, type Copied } from "../files/copy-budget.ts";
import { copyOut } from "../files/copy-out.ts";
import { sftpPath } from "../files/names.ts";
import { RemoteFiles } from "../files/remote-files.ts";
import { card, files, host, sshKey, sshPort } from "../parameters.ts";
import { checkPath } from "../ssh/shell.ts";

export const transferFiles = defineOperation({
  name: "transfer_files",
  description: "Copy files or folders to a machine.",
  effect: "execute",
  place: "external",
  recovery: "repeat",
  hidden: true,
  timeoutSeconds: 3600,
  parameters: {
    host,
    files: { ...files, description: "Files or folders here" },
    directory: {
      type: "string",
      minLength: 1,
      default: "~",
      description: "Folder on the machine; it is made",
    },
    ssh_key: sshKey,
    ssh_port: sshPort,
  },
  required: ["host", "files"],
  examples: [
    { say: "copy report.pdf to web1", arguments: { host: "deploy@web1.example.org", files: ["report.pdf"] } },
  ],
  display: (args) => card("Copying to machine", args.host, args.files),
  async run(args, context) {
    for (const file of args.files) checkPath("files", file);
    checkPath("directory", args.directory);
    const names = arrivalNames(args.files);
    const copies = await withMachine(args, context, async (connection) => {
      const remote = await RemoteFiles.open(connection, context.signal);
      const copying = { remote, context, budget: new CopyBudget() };
      const folder = sftpPath(args.directory);
      await remote.makeFolders(folder);
      const copied: Copied[] = [];
      for (const [index, file] of args.files.entries())
        copied.push(...(await copyOut(copying, file, `${folder}/${names[index] ?? ""}`)));
      return copied;
    });
    return {
      data: { host: args.host, files: copies },
      message: `Files copied to ${args.host}: ${copies.length}.`,
    };
  },
});
