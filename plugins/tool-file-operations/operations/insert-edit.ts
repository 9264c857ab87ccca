import { defineOperation, toolDisplay } from "@pergola/sdk";
import { filePath, lineNumber, newText } from "../parameters.ts";
import { insertLines } from "../text/insert.ts";
import { outcomeOfAdding } from "../text/outcome.ts";

const action = { replace: "Replaced line", insert: "Inserted before line" };

export const insertEdit = defineOperation({
  name: "insert_edit",
  description: "Insert lines before a line of a file, or put them in its place.",
  effect: "write",
  place: "paths",
  hidden: true,
  recovery: "reconcile",
  parameters: {
    filePath,
    lineNumber,
    newText,
    insertOperation: {
      enum: ["insert", "replace"],
      type: "string",
      default: "insert",
      description: "Whether the line stays or goes",
    },
  },
  required: ["filePath", "lineNumber", "newText"],
  display: (args) => toolDisplay("Edit file", args.filePath, "pencil", [`Line ${args.lineNumber}`]),
  async run(args, context) {
    const data = await insertLines(context, args, args.insertOperation);
    return {
      data,
      message: `${action[args.insertOperation]} ${args.lineNumber}.`,
    };
  },
  reconcile: (args, context) => outcomeOfAdding(context, args.filePath, args.newText),
});
