import { defineOperation, toolDisplay } from "@pergola/sdk";
import { listFolder } from "../info/list-folder.ts";
import { entryLimit, folderPath, offset } from "../parameters.ts";

export const listDirRecursive = defineOperation({
  name: "list_dir_recursive",
  description: "List everything below a folder, page by page.",
  effect: "read",
  hidden: true,
  parameters: {
    filePath: folderPath,
    limit: entryLimit,
    offset,
  },
  required: ["filePath"],
  display: (args) => toolDisplay("List folders", args.filePath, "folder"),
  run: (args, context) => listFolder(context, { ...args, recursive: true }),
});
