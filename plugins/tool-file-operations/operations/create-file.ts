import path from "node:path";
import { defineOperation, toolDisplay, ToolError } from "@pergola/sdk";
import { content, filePath } from "../parameters.ts";
import { textNow } from "../text/outcome.ts";

export const createFile = defineOperation({
  name: "create_file",
  description:
    "Create a file, with the folders it needs. An existing file is refused unless overwrite is true.",
  effect: "write",
  place: "paths",
  recovery: "reconcile",
  parameters: {
    filePath,
    content: { ...content, default: "" },
    overwrite: { type: "boolean", default: false, description: "Replace a file that exists" },
  },
  required: ["filePath"],
  display: (args) => toolDisplay("Create file", args.filePath, "file-plus"),
  examples: [
    { say: "create an empty file notes/today.md", arguments: { filePath: "notes/today.md" } },
    {
      say: "make a new file hello.txt that says hello world",
      arguments: { filePath: "hello.txt", content: "hello world" },
    },
    {
      say: 'create the file index.html with the content "<h1>Hi</h1>"',
      arguments: { filePath: "index.html", content: "<h1>Hi</h1>" },
    },
    { say: "add a new file src/util.ts", arguments: { filePath: "src/util.ts" } },
    { say: "touch build.log", arguments: { filePath: "build.log" } },
    {
      say: 'create todo.txt with "buy milk", overwrite it if it exists',
      arguments: { filePath: "todo.txt", content: "buy milk", overwrite: true },
    },
  ],
  async run({ filePath: file, content: text, overwrite }, { files }) {
    const hint =
      "Set overwrite to true to replace it, change it with replace_string, or choose another name.";
    if (!overwrite && (await files.stat(file)) !== undefined)
      throw new ToolError("conflict", `${file} exists already.`, { hint });
    const { created } = await files.write(file, text, { create: !overwrite });
    return {
      data: { filePath: file, filename: path.basename(file), created, overwritten: !created },
      message: created ? `Created ${file}.` : `Replaced ${file}.`,
    };
  },
  /**
   * Not there: not made. There with this very content: made. There with another: it may have been made and
   * changed since.
   */
  async reconcile({ filePath: file, content: text }, context) {
    if ((await context.files.stat(file)) === undefined) return "did_not_happen";
    if ((await textNow(context, file)) === text) return "happened";
    return "unknown";
  },
});
