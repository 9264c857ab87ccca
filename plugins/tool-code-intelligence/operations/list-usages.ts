import { hasSymbols, symbolName, usagesIn } from "@pergola/kit-code-symbols";
import { countOf, defineOperation, toolDisplay } from "@pergola/sdk";
import { codeFiles, mostFiles } from "../files/code-files.ts";

const mostUsages = 1000;

export const listUsages = defineOperation({
  name: "list_usages",
  description: "Where a symbol of the code is defined, declared, called and referred to.",
  effect: "read",
  parameters: {
    symbol_name: { type: "string", minLength: 1, description: "Function, class, variable…" },
    file_paths: {
      type: "array",
      items: { type: "string", format: "path" },
      description: "Files or folders; default: all",
    },
    context_lines: { type: "integer", minimum: 0, maximum: 20, default: 2 },
  },
  required: ["symbol_name"],
  display: ({ symbol_name }) => toolDisplay("List usages", symbol_name, "search"),
  examples: [
    { say: "where is parseConfig used?", arguments: { symbol_name: "parseConfig" } },
    { say: "who calls send_mail in src?", arguments: { symbol_name: "send_mail", file_paths: ["src"] } },
    { say: "find the definition of UserService", arguments: { symbol_name: "UserService" } },
    {
      say: "list all references to MAX_SIZE with 5 lines around them",
      arguments: { symbol_name: "MAX_SIZE", context_lines: 5 },
    },
    { say: "show all calls of drawLine", arguments: { symbol_name: "drawLine" } },
    { say: "where is the class Order defined?", arguments: { symbol_name: "Order" } },
  ],
  async run({ symbol_name, file_paths = [], context_lines }, context) {
    const symbol = symbolName(symbol_name);
    context.progress("Listing the files");
    const { files, isCut } = await codeFiles(context, file_paths, hasSymbols);
    const { usages, counts } = await usagesIn(context, files, {
      symbol,
      contextLines: context_lines,
      limit: mostUsages,
    });
    const all = counts.definition + counts.declaration + counts.call + counts.reference;
    const message = [
      `${countOf(all, "usage")} of ${symbol} in ${countOf(files.length, "code file")}, ` +
        `${countOf(counts.definition, "definition")} among them.`,
    ];
    if (all > usages.length)
      message.push(`The first ${usages.length} are listed; name file_paths for the others.`);
    if (isCut)
      message.push(
        `Only the first ${mostFiles} code files were looked into; name file_paths for the others.`,
      );
    return { data: usages, message: message.join(" ") };
  },
});
