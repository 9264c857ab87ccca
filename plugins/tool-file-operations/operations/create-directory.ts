import { defineOperation, toolDisplay, ToolError } from "@pergola/sdk";
import { folderPath } from "../parameters.ts";

export const createDirectory = defineOperation({
  name: "create_directory",
  description: "Create a folder, with those above it. A folder that exists is left as it is.",
  effect: "write",
  place: "paths",
  recovery: "repeat",
  parameters: { filePath: folderPath },
  required: ["filePath"],
  display: (args) => toolDisplay("Create folder", args.filePath, "folder-plus"),
  examples: [
    { say: "create the folder src/components", arguments: { filePath: "src/components" } },
    { say: "make a directory called backup", arguments: { filePath: "backup" } },
    { say: "mkdir -p build/out", arguments: { filePath: "build/out" } },
    { say: "I need a new folder named invoices", arguments: { filePath: "invoices" } },
  ],
  async run({ filePath: folder }, { files }) {
    const before = await files.stat(folder);
    if (before?.kind === "file") {
      throw new ToolError("conflict", `${folder} is a file.`, {
        hint: "Choose another name for the folder, or rename the file first.",
      });
    }
    const { created } = await files.makeDirectory(folder);
    return {
      data: { path: folder, created },
      message: created ? `Created ${folder}.` : `${folder} exists already.`,
    };
  },
});
