import { defineOperation, toolDisplay } from "@pergola/sdk";
import { filePath } from "../parameters.ts";

export const fileExists = defineOperation({
  name: "file_exists",
  description: "Tell whether a file or folder exists, and what it is.",
  effect: "read",
  hidden: true,
  parameters: { filePath },
  required: ["filePath"],
  display: (args) => toolDisplay("Look for file", args.filePath, "file"),
  async run({ filePath: file }, { files }) {
    const info = await files.stat(file);
    return {
      data: { exists: info !== undefined, type: info?.kind ?? null, size: info?.size ?? null },
      message: info === undefined ? `${file} does not exist.` : `${file} exists.`,
    };
  },
});
