import { defineOperation } from "@pergola/sdk";
import { card } from "../card.ts";
import { directory, fileType, maxResults } from "../parameters.ts";
import { findFiles } from "../service/find-files.ts";

export const recentFiles = defineOperation({
  name: "recent_files",
  description: "Files changed lately, newest first.",
  effect: "read",
  parameters: {
    directory,
    hours: { type: "number", minimum: 0, default: 24 },
    max_results: maxResults,
    file_type: fileType,
  },
  display: (args) => card("List recent files", `${args.hours} h`, args.directory),
  examples: [
    { say: "which files did I change today?", arguments: {} },
    { say: "list the files changed in the last 3 hours", arguments: { hours: 3 } },
    { say: "show me recent images of the last 48 hours", arguments: { hours: 48, file_type: "image" } },
    { say: "what have I worked on lately?", arguments: {} },
    { say: "show my latest documents", arguments: { file_type: "document" } },
    { say: "files that changed on this computer in the past 6 hours", arguments: { hours: 6 } },
    { say: "what did I change today?", arguments: {} },
    { say: "my recently changed images", arguments: { file_type: "image" } },
    { say: "show the newest files on this computer", arguments: {} },
  ],
  run: ({ directory, hours, max_results: limit, file_type: type }, context) =>
    findFiles(context, {
      kind: "recent",
      since: context.clock.now() - hours * 3_600_000,
      type,
      directory,
      limit,
    }),
});
