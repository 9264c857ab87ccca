import { defineOperation, toolDisplay, ToolError } from "@pergola/sdk";
import { filePath } from "../parameters.ts";

export const deleteFile = defineOperation({
  name: "delete_file",
  description: "Delete one file. Folders are refused; of a link the link itself goes, not what it leads to.",
  effect: "destructive",
  place: "paths",
  recovery: "reconcile",
  parameters: { filePath },
  required: ["filePath"],
  display: (args) => toolDisplay("Delete file", args.filePath, "trash"),
  examples: [
    { say: "delete old.txt", arguments: { filePath: "old.txt" } },
    { say: "remove the file tmp/cache.json", arguments: { filePath: "tmp/cache.json" } },
    { say: "rm debug.log", arguments: { filePath: "debug.log" } },
    { say: "get rid of draft.md", arguments: { filePath: "draft.md" } },
    { say: "please erase ~/Downloads/setup.zip", arguments: { filePath: "~/Downloads/setup.zip" } },
  ],
  async run({ filePath: file }, { files }) {
    if ((await files.stat(file))?.kind === "directory") {
      throw new ToolError("invalid_value", `${file} is a folder.`, {
        hint: "delete_file takes files only: delete those in it one by one.",
      });
    }
    await files.remove(file);
    return { data: `Deleted ${file}.` };
  },
  async reconcile({ filePath: file }, { files }) {
    if ((await files.stat(file)) === undefined) return "happened";
    return "did_not_happen";
  },
});
