import { countOf, defineOperation, toolDisplay } from "@pergola/sdk";
import { filePath, lineNumber, newText } from "../parameters.ts";
import { insertLines } from "../text/insert.ts";
import { outcomeOfAdding } from "../text/outcome.ts";

export const insertAtLine = defineOperation({
  name: "insert_at_line",
  description:
    "Insert lines before a line of a file; one more than the number of lines adds them at the end.",
  effect: "write",
  place: "paths",
  recovery: "reconcile",
  parameters: {
    filePath,
    lineNumber,
    newText,
  },
  required: ["filePath", "lineNumber", "newText"],
  display: (args) =>
    toolDisplay("Insert into file", args.filePath, "pencil", [`Before line ${args.lineNumber}`]),
  examples: [
    {
      say: 'insert "import os" at line 1 of main.py',
      arguments: { filePath: "main.py", lineNumber: 1, newText: "import os" },
    },
    {
      say: "put the text second item before line 2 in list.txt",
      arguments: { filePath: "list.txt", lineNumber: 2, newText: "second item" },
    },
    {
      say: 'add "use strict;" as line 1 in app.js',
      arguments: { filePath: "app.js", lineNumber: 1, newText: "use strict;" },
    },
    {
      say: "at line 10 of README.md insert ## Usage",
      arguments: { filePath: "README.md", lineNumber: 10, newText: "## Usage" },
    },
  ],
  async run(args, context) {
    const data = await insertLines(context, args, "insert");
    return {
      data,
      message:
        `Inserted ${countOf(data.linesModified, "line")} before line ${args.lineNumber} ` +
        `of ${args.filePath}.`,
    };
  },
  reconcile: (args, context) => outcomeOfAdding(context, args.filePath, args.newText),
});
