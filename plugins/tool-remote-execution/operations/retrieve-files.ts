import { defineOperation } from "@pergola/sdk";
import { arrivalTouches } from "../files/arrivals.ts";
import { copyFiles } from "../files/copy-files.ts";
import { copyIn } from "../files/copy-in.ts";
import { sftpPath } from "../files/names.ts";
import { card, files, host, login } from "../parameters.ts";

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
    ...login,
  },
  required: ["host", "files"],
  examples: [{ say: "fetch report.csv from stats", arguments: { host: "ops@stats", files: ["report.csv"] } }],
  touches: ({ files, directory }) => arrivalTouches(files, directory),
  display: (args) => card("Copy from machine", args.host, args.files),
  async run(args, context) {
    const data = await copyFiles(
      args,
      context,
      (copying) => (file, name) => copyIn(copying, sftpPath(file), `${args.directory}/${name}`),
    );
    return { data, message: `Files copied from ${args.host}: ${data.files.length}.` };
  },
});
