import { compareText, countOf, defineOperation, toolDisplay } from "@pergola/sdk";
import { sentenceIf } from "../display.ts";
import { codeFiles } from "../code/code-files.ts";
import type { Fault } from "../checker/messages.ts";
import { findFaults, isCheckable } from "../code/faults.ts";
import { filePaths } from "../parameters.ts";

const byPlace = (a: Fault, b: Fault): number =>
  compareText(a.file, b.file) || a.line - b.line || a.column - b.column;

export const getErrors = defineOperation({
  name: "get_errors",
  description:
    "Check code for errors without running it: syntax in all common languages, JSON and YAML; types in " +
    "TypeScript only. Without filePaths the whole working directory is checked. Files above 1 MiB, or that " +
    "take more than 10 seconds, are named and left out.",
  effect: "read",
  parameters: { filePaths: filePaths("paths", "filePath") },
  display: (args) => toolDisplay("Check code", (args.filePaths ?? []).join(", "), "check"),
  examples: [
    { say: "check the project for errors", arguments: {} },
    { say: "are there any syntax errors in main.py?", arguments: { filePaths: ["main.py"] } },
    { say: "does src/index.ts compile?", arguments: { filePaths: ["src/index.ts"] } },
    { say: "show compile errors in app.ts and util.ts", arguments: { filePaths: ["app.ts", "util.ts"] } },
    { say: "lint config.json", arguments: { filePaths: ["config.json"] } },
    { say: "is there something wrong with the code in lib?", arguments: { filePaths: ["lib"] } },
  ],
  async run({ filePaths: named = [] }, context) {
    const files = await codeFiles(context, named, isCheckable);
    const { faults, typesChecked, skipped } = await findFaults(context, files);
    const errors = faults.filter(({ severity }) => severity === "error").length;
    const how = typesChecked ? "Syntax and types" : "Syntax";
    const left = sentenceIf(
      skipped.length > 0,
      `Not checked, as too large or not to be read: ${skipped.slice(0, 5).join(", ")}.`,
    );
    return {
      data: [...faults].sort(byPlace),
      message:
        `${how} of ${countOf(files.length, "file")} checked: ${countOf(errors, "error")}, ` +
        `${countOf(faults.length - errors, "warning")}.${left}`,
    };
  },
});
