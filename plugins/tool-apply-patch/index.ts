import { definePlugin, defineTool } from "@pergola/sdk";
import { patchThreads } from "./patch-thread.ts";
import { patch } from "./operations/patch.ts";

export const applyPatch = defineTool({
  name: "apply_patch",
  description:
    "Change several files with one patch: all of it or, if a hunk does not match in exactly one place, " +
    "nothing.",
  icon: "pencil",
  aliases: { "file_operations.apply_patch": "patch" },
  operations: [patch],
});

export default definePlugin({ tools: [applyPatch], stop: () => patchThreads.end() });
