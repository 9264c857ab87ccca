import { definePlugin, defineTool } from "@pergola/sdk";
import { listUsages } from "./operations/list-usages.ts";
import { searchHistory } from "./operations/search-history.ts";

export const codeIntelligence = defineTool({
  name: "code_intelligence",
  description: "Understand code and its history.",
  icon: "code",
  aliases: { list_usages: "list_usages", list_code_usages: "list_usages", search_history: "search_history" },
  operations: [listUsages, searchHistory],
});

export default definePlugin({ tools: [codeIntelligence] });
