import { defineOperation, ToolError } from "@pergola/sdk";
import { card } from "../parameters.ts";

export const createDirectory = defineOperation({
  name: "create_directory",
  description: "Create a folder, with those above it.",
  effect: "write",
  place: "paths",
  recovery: "repeat",
  hidden: true,
  parameters: {
    dirPath: {
      type: "string",
      format: "path",
      description: "The folder",
      aliases: ["filePath", "path", "directory"],
    },
  },
  required: ["dirPath"],
  display: ({ dirPath }) => card("Create folder", dirPath),
  async run({ dirPath }, { files }) {
    if ((await files.stat(dirPath))?.kind === "file") {
      throw new ToolError("conflict", `${dirPath} is a file.`, {
        hint: "Choose another name for the folder.",
      });
    }
    const { created } = await files.makeDirectory(dirPath);
    return {
      data: { path: dirPath, created },
      message: created ? `Created ${dirPath}.` : `${dirPath} exists already.`,
    };
  },
});
