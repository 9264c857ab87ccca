import { defineOperation, toolDisplay } from "@pergola/sdk";
import { listFolder } from "../info/list-folder.ts";
import { filePath, offset } from "../parameters.ts";

export const listDirRecursive = defineOperation({
  name: "list_dir_recursive",
  description: "List everything below a folder, page by page.",
  effect: "read",
  hidden: true,
  parameters: {
    filePath: filePath("path", "dirPath", "directory"),
    limit: {
      type: "integer",
      minimum: 1,
      maximum: 1000,
      default: 100,
      description: "Lines (2000) or entries (100) to return at most",
    },
    offset,
  },
  required: ["filePath"],
  display: (args) => toolDisplay("Listing folders", args.filePath, "folder"),
  run: (args, context) => listFolder(context, { ...args, recursive: true }),
});
