import { definePlugin, defineTool } from "@pergola/sdk";
import { fileInfo } from "./operations/file-info.ts";
import { recentFiles } from "./operations/recent-files.ts";
import { searchContent } from "./operations/search-content.ts";
import { searchMetadata } from "./operations/search-metadata.ts";
import { search } from "./operations/search.ts";
import { closeIndexes, reopenLater } from "./service/reopen-later.ts";

export const systemSearch = defineTool({
  name: "system_search",
  names: ["spotlight_search"],
  description: "Find files on this computer.",
  icon: "search",
  aliases: {
    search_files: "search",
    search_content: "search_content",
    search_metadata: "search_metadata",
    file_info: "file_info",
    recent_files: "recent_files",
  },
  operations: [search, searchContent, searchMetadata, fileInfo, recentFiles],
});

export default definePlugin({ tools: [systemSearch], start: reopenLater, stop: closeIndexes });
