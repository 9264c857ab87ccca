import { defineOperation } from "@pergola/sdk";
import { copyFiles } from "../files/copy-files.ts";
import { copyOut } from "../files/copy-out.ts";
import { sftpPath } from "../files/names.ts";
import { card, files, host, login, recipientOf } from "../parameters.ts";

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
    ...login,
  },
  required: ["host", "files"],
  preview: (args) => ({ recipients: [recipientOf(args.host)] }),
  examples: [
    { say: "copy report.pdf to web1", arguments: { host: "deploy@web1.example.org", files: ["report.pdf"] } },
  ],
  display: (args) => card("Copy to machine", args.host, args.files),
  async run(args, context) {
    const data = await copyFiles(args, context, async (copying) => {
      const folder = sftpPath(args.directory);
      await copying.remote.makeFolders(folder);
      return (file, name) => copyOut(copying, file, `${folder}/${name}`);
    });
    return { data, message: `Files copied to ${args.host}: ${data.files.length}.` };
  },
});
