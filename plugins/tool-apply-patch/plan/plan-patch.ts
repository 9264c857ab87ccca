import { isUtf8 } from "node:buffer";
import { ToolError, type FileChange, type Files } from "@pergola/sdk";
import { unreadable, type FilePatch } from "../file-patch.ts";
import { applyHunks } from "./apply-hunks.ts";
import { targetPath } from "./target-path.ts";

type FileAction = {
  readonly path: string;
  readonly action: "added" | "updated" | "deleted" | "moved";
};

interface PatchPlan {
  readonly changes: readonly FileChange[];
  readonly files: readonly FileAction[];
}

/** Bytes of a file that a patch can change. */
const largestFile = 64 << 20;

type Part<K extends FilePatch["kind"]> = Extract<FilePatch, { readonly kind: K }>;

/** Works out every change without making one; a fault in one file is a fault of the whole. */
export async function planPatch(
  files: Files,
  patch: readonly FilePatch[],
  folder: string,
): Promise<PatchPlan> {
  const plans: PatchPlan[] = [];
  for (const part of patch) plans.push(await planPart(files, part, folder));
  const changes = plans.flatMap((plan) => plan.changes);
  const real = await Promise.all(changes.map(async ({ path }) => (await files.resolve(path)).real));
  const twice = changes.find((_, index) => real.indexOf(real[index] ?? "") < index);
  if (twice !== undefined) throw unreadable(`${twice.path} is changed twice`);
  return { changes, files: plans.flatMap((plan) => plan.files) };
}

function planPart(files: Files, part: FilePatch, folder: string): Promise<PatchPlan> {
  if (part.kind === "add") return add(files, part, folder);
  if (part.kind === "delete") return remove(files, part, folder);
  return update(files, part, folder);
}

async function add(files: Files, { path, content }: Part<"add">, folder: string): Promise<PatchPlan> {
  const file = targetPath(folder, path);
  await requireNone(files, file);
  return {
    changes: [{ path: file, content, create: true }],
    files: [{ path, action: "added" }],
  };
}

async function remove(files: Files, { path, hunks }: Part<"delete">, folder: string): Promise<PatchPlan> {
  const file = targetPath(folder, path);
  if (hunks.length === 0) await requireFile(files, file);
  else if (applyHunks(await textOf(files, file), hunks, path) !== "")
    throw unreadable(`${path} is to be deleted, but has lines that the patch does not know`);
  return {
    changes: [{ path: file }],
    files: [{ path, action: "deleted" }],
  };
}

async function update(
  files: Files,
  { path, movedTo, hunks }: Part<"update">,
  folder: string,
): Promise<PatchPlan> {
  const file = targetPath(folder, path);
  if (movedTo === undefined) {
    const content = applyHunks(await textOf(files, file), hunks, path);
    return {
      changes: [{ path: file, content }],
      files: [{ path, action: "updated" }],
    };
  }
  const target = targetPath(folder, movedTo);
  await requireNone(files, target);
  let content: string | Uint8Array;
  if (hunks.length === 0) content = await files.read(file);
  else content = applyHunks(await textOf(files, file), hunks, path);
  return {
    changes: [{ path: target, content, create: true }, { path: file }],
    files: [{ path: movedTo, action: "moved" }],
  };
}

async function requireNone(files: Files, file: string): Promise<void> {
  if ((await files.stat(file)) === undefined) return;
  throw new ToolError("conflict", `${file} exists already.`, {
    hint: "Nothing was changed. Update it, or choose another name.",
  });
}

/**
 * A file, or a link whatever it leads to; what is missing throws ToolError `file_not_found`, by reading
 * nothing of it.
 */
async function requireFile(files: Files, file: string): Promise<void> {
  if ((await files.stat(file))?.kind !== "link") await files.read(file, { start: 0, end: 0 });
}

async function textOf(files: Files, file: string): Promise<string> {
  const bytes = await files.read(file, { start: 0, end: largestFile + 1 });
  if (bytes.length > largestFile)
    throw new ToolError("invalid_value", `${file} is larger than 64 MiB.`, {
      hint: "Nothing was changed. Files of this size cannot be patched.",
    });
  if (isUtf8(bytes) && !bytes.includes(0)) return Buffer.from(bytes).toString("utf8");
  throw new ToolError("invalid_value", `${file} is not a UTF-8 text.`, {
    hint: "Nothing was changed. Patches work on text files only.",
  });
}
