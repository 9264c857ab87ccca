import { countOf, defineOperation, toolDisplay } from "@pergola/sdk";
import { filePath } from "../parameters.ts";
import { editFile } from "../text/edit-file.ts";
import { outcomeOfReplacing } from "../text/outcome.ts";
import { replace } from "../text/replace.ts";

export const replaceString = defineOperation({
  name: "replace_string",
  description:
    "Replace an exact piece of a file's text. It must occur once, unless replaceAll is set or " +
    "expectedReplacements gives the number. Nothing is changed on failure.",
  effect: "write",
  place: "paths",
  recovery: "reconcile",
  parameters: {
    filePath,
    oldString: {
      type: "string",
      minLength: 1,
      description: "The exact text to replace, white space included",
    },
    newString: { type: "string", description: "The text to put there" },
    expectedReplacements: {
      type: "integer",
      minimum: 1,
      description: "How often oldString must occur; all of them are replaced",
    },
    replaceAll: { type: "boolean", default: false, description: "Replace every occurrence" },
  },
  required: ["filePath", "oldString", "newString"],
  display: (args) => toolDisplay("Edit file", args.filePath, "pencil"),
  examples: [
    {
      say: "replace foo with bar in main.py",
      arguments: { filePath: "main.py", oldString: "foo", newString: "bar" },
    },
    {
      say: 'in config.json change "debug": true to "debug": false',
      arguments: { filePath: "config.json", oldString: '"debug": true', newString: '"debug": false' },
    },
    {
      say: "change the word colour to color everywhere in style.md",
      arguments: { filePath: "style.md", oldString: "colour", newString: "color", replaceAll: true },
    },
    {
      say: 'swap "localhost" for "example.org" in settings.yaml',
      arguments: { filePath: "settings.yaml", oldString: "localhost", newString: "example.org" },
    },
    {
      say: "edit README.md: teh should be the",
      arguments: { filePath: "README.md", oldString: "teh", newString: "the" },
    },
    {
      say: "replace all 3 occurrences of v1 by v2 in api.ts",
      arguments: { filePath: "api.ts", oldString: "v1", newString: "v2", expectedReplacements: 3 },
    },
    {
      say: 'use "new" instead of "old" in a.txt',
      arguments: { filePath: "a.txt", oldString: "old", newString: "new" },
    },
  ],
  async run(args, context) {
    const { count } = await editFile(context, args.filePath, (text) => replace(text, args));
    return {
      data: { filePath: args.filePath, replacementCount: count },
      message: `Made ${countOf(count, "replacement")} in ${args.filePath}.`,
    };
  },
  reconcile: (args, context) => outcomeOfReplacing(context, args),
});
