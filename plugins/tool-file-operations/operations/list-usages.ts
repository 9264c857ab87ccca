import { defineOperation, ToolError } from "@pergola/sdk";
import { card, counted } from "../card.ts";
import { codeFiles } from "../code/code-files.ts";
import { hasSymbols, lastName, usagesIn, type FoundUsage } from "../code/usages.ts";
import { filePaths } from "../parameters.ts";
import type { UsageKind } from "../syntax/rules.ts";

const rank: Readonly<Record<UsageKind, number>> = { definition: 0, declaration: 1, call: 2, reference: 2 };

/** Definitions first, then declarations, then all uses in the order of the files. */
const byKind = (a: FoundUsage, b: FoundUsage): number => rank[a.kind] - rank[b.kind];

export const listUsages = defineOperation({
  name: "list_usages",
  aliases: ["list_code_usages"],
  description:
    "List where a function, class, variable or other symbol of the code is defined, declared, called and referred to. " +
    "Comments and strings do not count. Without filePaths the whole working directory is searched.",
  effect: "read",
  parameters: {
    symbolName: { type: "string", minLength: 1, description: "Name of the symbol" },
    filePaths: filePaths(),
  },
  required: ["symbolName"],
  display: (args) => card("Listing usages", args.symbolName, "search"),
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
  async run({ symbolName, filePaths: named = [] }, context) {
    const symbol = lastName(symbolName);
    if (symbol === "")
      throw new ToolError("invalid_value", `"${symbolName}" is not a symbol's name.`, {
        hint: "Give a name such as parseConfig.",
      });
    const files = await codeFiles(context, named, hasSymbols);
    const usages = [...(await usagesIn(context, files, symbol))].sort(byKind);
    const definitions = usages.filter(({ kind }) => kind === "definition").length;
    return {
      data: usages,
      message: `${counted(usages.length, "usage")} of ${symbol} in ${counted(files.length, "code file")}, ${counted(definitions, "definition")} among them.`,
    };
  },
});
