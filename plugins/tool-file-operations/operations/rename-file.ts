import { defineOperation, toolDisplay } from "@pergola/sdk";
import { path } from "../parameters.ts";

export const renameFile = defineOperation({
  name: "rename_file",
  description: "Rename or move a file or folder, making the folders it needs. Nothing is ever overwritten.",
  effect: "write",
  place: "paths",
  recovery: "reconcile",
  parameters: {
    oldPath: { ...path, description: "What to rename" },
    newPath: { ...path, description: "Its new path, name included" },
  },
  required: ["oldPath", "newPath"],
  display: ({ oldPath, newPath }) => toolDisplay("Rename", oldPath, "arrow-right", [`To ${newPath}`]),
  examples: [
    { say: "rename draft.md to final.md", arguments: { oldPath: "draft.md", newPath: "final.md" } },
    { say: "move src/old.ts to lib/old.ts", arguments: { oldPath: "src/old.ts", newPath: "lib/old.ts" } },
    {
      say: "change the name of photo1.jpg to holiday.jpg",
      arguments: { oldPath: "photo1.jpg", newPath: "holiday.jpg" },
    },
    {
      say: "mv report.txt archive/report.txt",
      arguments: { oldPath: "report.txt", newPath: "archive/report.txt" },
    },
    { say: "call the folder images pictures instead", arguments: { oldPath: "images", newPath: "pictures" } },
  ],
  async run({ oldPath, newPath }, { files }) {
    await files.rename(oldPath, newPath);
    return { data: { old_path: oldPath, new_path: newPath }, message: `Renamed ${oldPath} to ${newPath}.` };
  },
  async reconcile({ oldPath, newPath }, { files }) {
    const [before, after] = await Promise.all([files.stat(oldPath), files.stat(newPath)]);
    if (before === undefined && after !== undefined) return "happened";
    if (before !== undefined && after === undefined) return "did_not_happen";
    return "unknown";
  },
});
