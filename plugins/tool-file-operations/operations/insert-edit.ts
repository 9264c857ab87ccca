import { defineOperation, toolDisplay, withFileLocks } from "@pergola/sdk";
import { filePath, lineNumber, newText } from "../parameters.ts";
import { readEditable } from "../text/bytes.ts";
import { editLines } from "../text/insert.ts";
import { outcomeOfAdding, textNow } from "../text/outcome.ts";

const action = { replace: "Replaced line", insert: "Inserted before line" };

export const insertEdit = defineOperation({
  name: "insert_edit",
  description: "Insert lines before a line of a file, or put them in its place.",
  effect: "write",
  place: "paths",
  hidden: true,
  recovery: "reconcile",
  parameters: {
    filePath: filePath("path"),
    lineNumber: lineNumber("line"),
    newText: newText("content", "text"),
    insertOperation: {
      enum: ["insert", "replace"],
      type: "string",
      default: "insert",
      description: "Whether the line stays or goes",
    },
  },
  required: ["filePath", "lineNumber", "newText"],
  display: (args) => toolDisplay("Editing file", args.filePath, "pencil", [`Line ${args.lineNumber}`]),
  run: (args, context) =>
    withFileLocks(context.files, [args.filePath], async () => {
      const { text, linesModified } = editLines(await readEditable(context, args.filePath), {
        ...args,
        mode: args.insertOperation,
      });
      await context.files.write(args.filePath, text);
      return {
        data: { filePath: args.filePath, lineNumber: args.lineNumber, linesModified },
        message: `${action[args.insertOperation]} ${args.lineNumber}.`,
      };
    }),
  reconcile: async (args, context) => outcomeOfAdding(await textNow(context, args.filePath), args.newText),
});
