import { defineOperation } from "@pergola/sdk";
import { withConnection } from "../connect.ts";
import { arrivalNames } from "../files/arrivals.ts";
import { CopyBudget } from "../files/copy-budget.ts";
import type { Copied } from "../files/copy-in.ts";
import { copyOut } from "../files/copy-out.ts";
import { sftpPath } from "../files/names.ts";
import { RemoteFiles } from "../files/remote-files.ts";
import { card, host, sshKey, sshPort } from "../parameters.ts";
import { checkPath } from "../ssh/shell.ts";
import { parseTarget } from "../ssh/target.ts";

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
    files: {
      type: "array",
      items: { type: "string", format: "path" },
      minItems: 1,
      description: "Files or folders here",
    },
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
    const target = parseTarget(args.host, args.ssh_port);
    for (const file of args.files) checkPath("files", file);
    checkPath("directory", args.directory);
    const names = arrivalNames(args.files);
    const files = await withConnection(target, args.ssh_key, context, async (connection) => {
      const remote = await RemoteFiles.open(connection, context.signal);
      const [folder, budget] = [sftpPath(args.directory), new CopyBudget()];
      await remote.makeFolders(folder);
      const copied: Copied[] = [];
      for (const [index, file] of args.files.entries())
        copied.push(...(await copyOut({ remote, context, budget }, file, `${folder}/${names[index] ?? ""}`)));
      return copied;
    });
    return { data: { host: args.host, files }, message: `Files copied to ${args.host}: ${files.length}.` };
  },
});
