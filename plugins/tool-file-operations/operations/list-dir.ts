import { defineOperation, toolDisplay } from "@pergola/sdk";
import { listFolder } from "../info/list-folder.ts";
import { entryLimit, folderPath, offset } from "../parameters.ts";

export const listDir = defineOperation({
  name: "list_dir",
  description: "List the files and folders in a folder, page by page; recursive lists everything below it.",
  effect: "read",
  parameters: {
    filePath: folderPath,
    limit: entryLimit,
    offset,
    recursive: { type: "boolean", default: false, description: "Also what is in the folders below" },
  },
  required: ["filePath"],
  display: (args) => toolDisplay("List folder", args.filePath, "folder"),
  examples: [
    { say: "list the files in src", arguments: { filePath: "src" } },
    { say: "what is in the folder docs?", arguments: { filePath: "docs" } },
    { say: "show me the directory .", arguments: { filePath: "." } },
    { say: "ls ~/projects", arguments: { filePath: "~/projects" } },
    { say: "list everything below lib recursively", arguments: { filePath: "lib", recursive: true } },
    { say: "show the first 20 entries of the folder logs", arguments: { filePath: "logs", limit: 20 } },
    { say: "which files are in packages/api?", arguments: { filePath: "packages/api" } },
  ],
  run: (args, context) => listFolder(context, args),
});
