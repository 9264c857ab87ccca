import { countOf, defineOperation, toolDisplay, withFileLocks } from "@pergola/sdk";
import { content, filePath } from "../parameters.ts";
import { outcomeOfAdding } from "../text/outcome.ts";

export const appendFile = defineOperation({
  name: "append_file",
  description: "Add text to the end of a file, exactly as given; a missing file is created.",
  effect: "write",
  place: "paths",
  recovery: "reconcile",
  parameters: { filePath, content },
  required: ["filePath", "content"],
  display: (args) => toolDisplay("Append to file", args.filePath, "pencil"),
  examples: [
    {
      say: 'append "new entry" to journal.txt',
      arguments: { filePath: "journal.txt", content: "new entry" },
    },
    {
      say: "add the line eggs at the end of shopping.txt",
      arguments: { filePath: "shopping.txt", content: "eggs" },
    },
    { say: 'add "*.log" to the end of .gitignore', arguments: { filePath: ".gitignore", content: "*.log" } },
    {
      say: "attach the text see also chapter 2 to notes.md",
      arguments: { filePath: "notes.md", content: "see also chapter 2" },
    },
    {
      say: 'write "finished" at the bottom of run.log',
      arguments: { filePath: "run.log", content: "finished" },
    },
  ],
  run: ({ filePath: file, content: text }, context) =>
    withFileLocks(context.files, [file], async () => {
      const isNew = (await context.files.stat(file)) === undefined;
      const before = isNew ? new Uint8Array() : await context.files.read(file);
      const added = Buffer.from(text);
      await context.files.write(file, Buffer.concat([before, added]));
      return {
        data: { filePath: file, bytes: added.length },
        message: `Added ${countOf(added.length, "byte")} to ${file}.`,
      };
    }),
  async reconcile({ filePath: file, content: text }, context) {
    if ((await context.files.stat(file)) === undefined) return "did_not_happen";
    return outcomeOfAdding(context, file, text);
  },
});
