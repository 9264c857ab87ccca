import { defineOperation, type TouchedPath } from "@pergola/sdk";
import { card, counted } from "../card.ts";
import { parsePatch } from "../patch/parse-patch.ts";
import type { FilePatch } from "../patch/patch.ts";
import { pathsOf, placed, planPatch } from "../patch/plan-patch.ts";
import { withFileLocks } from "../text/edit-lock.ts";

/** The patch's parts; none when it can not be read, as `run` will then fail before it changes anything. */
function parts(patch: string): readonly FilePatch[] {
  try {
    return parsePatch(patch);
  } catch {
    return [];
  }
}

export const applyPatch = defineOperation({
  name: "apply_patch",
  description:
    "Apply a patch to files: all of it, or nothing if one hunk does not match in exactly one place.",
  effect: ({ patch }) => (parts(patch).some(({ kind }) => kind === "delete") ? "destructive" : "write"),
  effects: ["write", "destructive"],
  place: "paths",
  hidden: true,
  recovery: "once",
  parameters: {
    patch: {
      type: "string",
      minLength: 1,
      aliases: ["diff", "patch_content"],
      description: "`*** Begin Patch` … `*** End Patch`, or a unified diff",
    },
    target_directory: {
      type: "string",
      format: "path",
      default: ".",
      description: "Folder that the patch's paths are relative to",
    },
    dry_run: { type: "boolean", default: false, description: "Only check whether it applies" },
  },
  required: ["patch"],
  touches: ({ patch, target_directory: folder }): readonly TouchedPath[] =>
    parts(patch).flatMap((part) =>
      pathsOf(part).map((file) => ({
        path: placed(folder, file),
        effect: part.kind === "delete" ? "destructive" : "write",
      })),
    ),
  display: ({ patch }) => {
    const files = parts(patch).flatMap(pathsOf);
    return card("Applying patch", counted(files.length, "file"), "pencil", files);
  },
  async run({ patch, target_directory: folder, dry_run: isDry }, context) {
    const patches = parsePatch(patch);
    const paths = patches.flatMap(pathsOf).map((file) => placed(folder, file));
    return withFileLocks(context, paths, async () => {
      const { changes, files } = await planPatch(context, patches, folder);
      if (!isDry) await context.files.writeAll(changes);
      return {
        data: { files, dry_run: isDry },
        message: `${isDry ? "Would change" : "Changed"} ${counted(files.length, "file")}.`,
      };
    });
  },
});
