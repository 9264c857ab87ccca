import { hasSymbols, symbolName, usagesIn } from "@pergola/kit-code-symbols";
import { countOf, defineOperation, toolDisplay } from "@pergola/sdk";
import { codeFiles } from "../code/code-files.ts";
import { filePaths } from "../parameters.ts";

export const listUsages = defineOperation({
  name: "list_usages",
  aliases: ["list_code_usages"],
  description:
    "List where a function, class, variable or other symbol of the code is defined, declared, called " +
    "and referred to. Comments and strings do not count. Without filePaths the whole working " +
    "directory is searched.",
  effect: "read",
  parameters: {
    symbolName: { type: "string", minLength: 1, description: "Name of the symbol" },
    filePaths: filePaths(),
  },
  required: ["symbolName"],
  display: (args) => toolDisplay("List usages", args.symbolName, "search"),
  examples: [
    { say: "where is the function parseConfig used?", arguments: { symbolName: "parseConfig" } },
    { say: "find all usages of UserService", arguments: { symbolName: "UserService" } },
    { say: "who calls send_mail?", arguments: { symbolName: "send_mail" } },
    { say: "where is MAX_SIZE defined?", arguments: { symbolName: "MAX_SIZE" } },
    {
      say: "list references to Router in src/app.ts",
      arguments: { symbolName: "Router", filePaths: ["src/app.ts"] },
    },
  ],
  async run({ symbolName: name, filePaths: named = [] }, context) {
    const symbol = symbolName(name, { allowDashes: true });
    const files = await codeFiles(context, named, hasSymbols);
    const { usages, counts } = await usagesIn(context, files, { symbol, contextLines: 0, limit: Infinity });
    return {
      data: usages.map((usage) => ({ ...usage, context: usage.context.trim() })),
      message:
        `${countOf(usages.length, "usage")} of ${symbol} in ${countOf(files.length, "code file")}, ` +
        `${countOf(counts.definition, "definition")} among them.`,
    };
  },
});
