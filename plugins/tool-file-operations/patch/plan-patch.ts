import path from "node:path";
import { ToolError, type FileChange, type ToolContext } from "@pergola/sdk";
import { readEditable } from "../text/bytes.ts";
import { applyHunks } from "./apply-hunks.ts";
import { malformed, type FilePatch } from "./patch.ts";

export type PatchAction = {
  readonly path: string;
  readonly action: "added" | "updated" | "deleted" | "moved";
};

export interface PatchPlan {
  readonly changes: readonly FileChange[];
  readonly files: readonly PatchAction[];
}

/**
 * A path of the patch as the files door takes it: absolute and home paths as they stand, others below the
 * target folder.
 */
export const placed = (targetDirectory: string, file: string): string =>
  /^(\/|~(\/|$))/.test(file) ? file : path.join(targetDirectory, file);

/** The same. Throws ToolError `path_escape` when a relative path leaves the target folder. */
function targetPath(targetDirectory: string, file: string): string {
  if (path.normalize(file).split(path.sep)[0] === "..") {
    throw new ToolError("path_escape", `${file} leaves the folder that is patched.`, {
      hint: "Nothing was changed. Give an absolute path.",
    });
  }
  return placed(targetDirectory, file);
}

async function requireNone(context: ToolContext, file: string): Promise<void> {
  if ((await context.files.stat(file)) === undefined) return;
  throw new ToolError("conflict", `${file} exists already.`, {
    hint: "Nothing was changed. Update the file instead, or choose another name.",
  });
}

type Planner<K extends FilePatch["kind"]> = (
  context: ToolContext,
  patch: Extract<FilePatch, { kind: K }>,
  folder: string,
) => Promise<PatchPlan>;

const add: Planner<"add"> = async (context, patch, folder) => {
  const file = targetPath(folder, patch.path);
  await requireNone(context, file);
  return {
    changes: [{ path: file, content: patch.content, create: true }],
    files: [{ path: patch.path, action: "added" }],
  };
};

const remove: Planner<"delete"> = async (context, patch, folder) => {
  const file = targetPath(folder, patch.path);
  const isChecked = patch.hunks.length > 0;
  const rest = isChecked ? applyHunks(await readEditable(context, file), patch.hunks, patch.path) : "";
  if (rest !== "")
    throw malformed(`${patch.path} is to be deleted, but has lines that the patch does not know`);
  if (!isChecked) await context.files.read(file, { start: 0, end: 0 });
  return { changes: [{ path: file }], files: [{ path: patch.path, action: "deleted" }] };
};

const update: Planner<"update"> = async (context, patch, folder) => {
  const file = targetPath(folder, patch.path);
  const content = applyHunks(await readEditable(context, file), patch.hunks, patch.path);
  if (patch.movedTo === undefined)
    return { changes: [{ path: file, content }], files: [{ path: patch.path, action: "updated" }] };
  const target = targetPath(folder, patch.movedTo);
  await requireNone(context, target);
  return {
    changes: [{ path: target, content, create: true }, { path: file }],
    files: [{ path: patch.movedTo, action: "moved" }],
  };
};

const planOf = (context: ToolContext, patch: FilePatch, folder: string): Promise<PatchPlan> => {
  if (patch.kind === "add") return add(context, patch, folder);
  return patch.kind === "delete" ? remove(context, patch, folder) : update(context, patch, folder);
};

/** Works out every change of a patch without making any; a fault in one file is a fault of the whole. */
export async function planPatch(
  context: ToolContext,
  patches: readonly FilePatch[],
  folder: string,
): Promise<PatchPlan> {
  const plans: PatchPlan[] = [];
  for (const patch of patches) plans.push(await planOf(context, patch, folder));
  const changes = plans.flatMap((plan) => plan.changes);
  const real = await Promise.all(
    changes.map(async (change) => (await context.files.resolve(change.path)).real),
  );
  const twice = real.findIndex((file, index) => real.indexOf(file) !== index);
  if (twice >= 0) throw malformed(`${changes[twice]?.path ?? ""} is changed twice`);
  return { changes, files: plans.flatMap((plan) => plan.files) };
}

/** The paths that a part of a patch names. */
export const pathsOf = (patch: FilePatch): readonly string[] =>
  patch.kind === "update" && patch.movedTo !== undefined ? [patch.path, patch.movedTo] : [patch.path];
