import {
  countOf,
  defineOperation,
  toolDisplay,
  withFileLocks,
  type Effect,
  type ToolDisplay,
  type TouchedPath,
} from "@pergola/sdk";
import { readOutline } from "../apply-patch.ts";
import { pathsOf, type PartOutline } from "../patch-outline.ts";
import { planPatch } from "../plan/plan-patch.ts";
import { placed } from "../plan/target-path.ts";

interface Arguments {
  readonly patch: string;
  readonly target_directory: string;
}

type Outline = readonly PartOutline[];

/** The outlines of calls, which are needed several times before a call runs. */
const outlines = new WeakMap<object, Outline | Promise<Outline>>();

/** Of a patch that cannot be read, nothing: `run` fails before it changes anything. */
function outlineOf(args: Arguments): Outline | Promise<Outline> {
  const outline = outlines.get(args) ?? readableOutline(args);
  outlines.set(args, outline);
  return outline;
}

function readableOutline(args: Arguments): Outline | Promise<Outline> {
  try {
    const outline = readOutline(args.patch);
    return outline instanceof Promise ? remembered(args, outline) : outline;
  } catch {
    return [];
  }
}

async function remembered(args: Arguments, work: Promise<Outline>): Promise<Outline> {
  const outline = await work.catch(() => []);
  outlines.set(args, outline);
  return outline;
}

/** Makes something of a call's outline: at once where the outline is there. */
function withOutline<T>(args: Arguments, make: (outline: Outline) => T): T | Promise<T> {
  const outline = outlineOf(args);
  return outline instanceof Promise ? outline.then(make) : make(outline);
}

const effectOf = ({ kind }: PartOutline): Effect => (kind === "delete" ? "destructive" : "write");

const touchedBy = (outline: Outline, folder: string): readonly TouchedPath[] =>
  outline.flatMap((part) =>
    pathsOf(part).map((file) => ({ path: placed(folder, file), effect: effectOf(part) })),
  );

/** The card of a call: of a large patch it names the files once `touches` has worked them out. */
function cardOf(args: Arguments): Partial<ToolDisplay> {
  const outline = outlineOf(args);
  if (outline instanceof Promise) return toolDisplay("Apply patch", "a large one", "pencil");
  const files = outline.flatMap(pathsOf);
  return toolDisplay("Apply patch", countOf(files.length, "file"), "pencil", files);
}

const sample = "*** Begin Patch\n*** Update File: a.txt\n@@\n-old\n+new\n*** End Patch";

export const patch = defineOperation({
  name: "patch",
  description: "Apply a patch.",
  aliases: ["apply", "apply_patch"],
  effect: (args) =>
    withOutline(args, (outline) => (outline.some(({ kind }) => kind === "delete") ? "destructive" : "write")),
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
  touches: (args) => withOutline(args, (outline) => touchedBy(outline, args.target_directory)),
  display: cardOf,
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
  async run({ patch: text, target_directory: folder, dry_run: isDry }, { files, signal }) {
    const paths = (await readOutline(text)).flatMap(pathsOf).map((file) => placed(folder, file));
    return withFileLocks(files, paths, async () => {
      const plan = await planPatch(files, { patch: text, folder, signal });
      if (!isDry) await files.writeAll(plan.changes);
      const message = `${isDry ? "Would change" : "Changed"} ${countOf(plan.files.length, "file")}.`;
      return { data: { files: plan.files, dry_run: isDry }, message };
    });
  },
});
