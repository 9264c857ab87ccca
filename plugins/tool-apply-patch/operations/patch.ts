import { countOf, defineOperation, toolDisplay, withFileLocks, type Effect } from "@pergola/sdk";
import { pathsOf, type FilePatch } from "../file-patch.ts";
import { planPatch } from "../plan/plan-patch.ts";
import { placed } from "../plan/target-path.ts";
import { readPatch } from "../read/read-patch.ts";

/** The patch's parts; none when it cannot be read, for then `run` fails before it changes anything. */
function partsOf(text: string): readonly FilePatch[] {
  try {
    return readPatch(text);
  } catch {
    return [];
  }
}

const effectOf = ({ kind }: FilePatch): Effect => (kind === "delete" ? "destructive" : "write");
const sample = "*** Begin Patch\n*** Update File: a.txt\n@@\n-old\n+new\n*** End Patch";

export const patch = defineOperation({
  name: "patch",
  description: "Apply a patch.",
  aliases: ["apply", "apply_patch"],
  effect: ({ patch: text }) =>
    partsOf(text).some(({ kind }) => kind === "delete") ? "destructive" : "write",
  effects: ["write", "destructive"],
  place: "paths",
  recovery: "once",
  parameters: {
    patch: {
      type: "string",
      minLength: 1,
      aliases: ["patch_content", "diff"],
      description:
        "`*** Begin Patch`; blocks `*** Add File: path` with +lines, `*** Update File: path` (then perhaps " +
        "`*** Move to: path`) with hunks of `@@` and lines marked space, - or +, `*** Delete File: path`; " +
        "`*** End Patch`. Or a unified diff",
    },
    target_directory: {
      type: "string",
      format: "path",
      default: ".",
      description: "Folder that the patch's paths start from",
    },
    dry_run: { type: "boolean", default: false, description: "Only check whether it applies" },
  },
  required: ["patch"],
  touches: ({ patch: text, target_directory: folder }) =>
    partsOf(text).flatMap((part) =>
      pathsOf(part).map((file) => ({ path: placed(folder, file), effect: effectOf(part) })),
    ),
  display: ({ patch: text }) => {
    const files = partsOf(text).flatMap(pathsOf);
    return toolDisplay("Applying patch", countOf(files.length, "file"), "pencil", files);
  },
  examples: [
    { say: `apply this patch: ${sample}`, arguments: { patch: sample } },
    { say: `patch the files in src with ${sample}`, arguments: { patch: sample, target_directory: "src" } },
    { say: `would this patch apply? ${sample}`, arguments: { patch: sample, dry_run: true } },
    { say: `check only whether this diff fits: ${sample}`, arguments: { patch: sample, dry_run: true } },
    { say: `use this patch in lib: ${sample}`, arguments: { patch: sample, target_directory: "lib" } },
    { say: `does this patch fit? ${sample}`, arguments: { patch: sample, dry_run: true } },
    { say: `dry run of this patch: ${sample}`, arguments: { patch: sample, dry_run: true } },
    { say: `patch my files with ${sample}`, arguments: { patch: sample } },
    { say: `can this patch be applied? ${sample}`, arguments: { patch: sample, dry_run: true } },
    { say: `only check this patch: ${sample}`, arguments: { patch: sample, dry_run: true } },
  ],
  async run({ patch: text, target_directory: folder, dry_run: isDry }, { files }) {
    const parts = readPatch(text);
    const paths = parts.flatMap(pathsOf).map((file) => placed(folder, file));
    return withFileLocks(files, paths, async () => {
      const plan = await planPatch(files, parts, folder);
      if (!isDry) await files.writeAll(plan.changes);
      const message = `${isDry ? "Would change" : "Changed"} ${countOf(plan.files.length, "file")}.`;
      return { data: { files: plan.files, dry_run: isDry }, message };
    });
  },
});
