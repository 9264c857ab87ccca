import { ToolError, type FileChange, type Files } from "@pergola/sdk";
import { applyPatch, readOutline } from "../apply-patch.ts";
import { unreadable } from "../file-patch.ts";
import type { PartOutline } from "../patch-outline.ts";
import { targetPath } from "./target-path.ts";

type FileAction = {
  readonly path: string;
  readonly action: "added" | "updated" | "deleted" | "moved";
};

interface PatchPlan {
  readonly changes: readonly FileChange[];
  readonly files: readonly FileAction[];
}

interface PatchRequest {
  readonly patch: string;
  readonly folder: string;
  readonly signal: AbortSignal;
}

type Content = string | Uint8Array;

/** Bytes of a file that a patch can change, and of all its files together. */
const largestFile = 64 << 20;
const largestSum = 256 << 20;

/** Works out every change without making one; a fault in one file is a fault of the whole. */
export async function planPatch(files: Files, { patch, folder, signal }: PatchRequest): Promise<PatchPlan> {
  const parts = (await readOutline(patch)).map((part) => placedIn(folder, part));
  const sources = await readSources(files, parts);
  const contents = await applyPatch({ patch, sources }, signal);
  const changes: FileChange[] = [];
  for (const [index, part] of parts.entries()) {
    for (const change of await changesOf(files, part, contents[index])) changes.push(change);
  }
  await requireOnce(files, changes);
  return { changes, files: parts.map(actionOf) };
}

/** A part of a patch with the paths of its files as the door takes them. */
interface PlacedPart extends PartOutline {
  readonly file: string;
  readonly target: string | undefined;
}

const placedIn = (folder: string, part: PartOutline): PlacedPart => ({
  ...part,
  file: targetPath(folder, part.path),
  target: part.movedTo === undefined ? undefined : targetPath(folder, part.movedTo),
});

/** The bytes of the files whose text the patch names. The files that it makes must not exist. */
async function readSources(
  files: Files,
  parts: readonly PlacedPart[],
): Promise<readonly (Uint8Array | undefined)[]> {
  const sources: (Uint8Array | undefined)[] = [];
  let sum = 0;
  for (const { kind, file, target, hasHunks } of parts) {
    if (kind === "add") await requireNone(files, file);
    if (target !== undefined) await requireNone(files, target);
    if (kind === "delete" && !hasHunks) await requireFile(files, file);
    const source = hasHunks ? await bytesOf(files, file) : undefined;
    sum += source?.length ?? 0;
    if (sum > largestSum)
      throw new ToolError("invalid_value", `The patched files are larger than ${largestSum >> 20} MiB.`, {
        hint: "Nothing was changed. Split the patch into smaller ones.",
      });
    sources.push(source);
  }
  return sources;
}

async function changesOf(
  files: Files,
  { kind, file, target }: PlacedPart,
  content: Content | undefined,
): Promise<readonly FileChange[]> {
  if (kind === "delete") return [{ path: file }];
  if (kind === "add") return [{ path: file, content, create: true }];
  if (target === undefined) return [{ path: file, content }];
  return [{ path: target, content: content ?? (await files.read(file)), create: true }, { path: file }];
}

function actionOf({ kind, path, movedTo }: PlacedPart): FileAction {
  if (movedTo !== undefined) return { path: movedTo, action: "moved" };
  return { path, action: ({ add: "added", delete: "deleted", update: "updated" } as const)[kind] };
}

async function requireOnce(files: Files, changes: readonly FileChange[]): Promise<void> {
  const seen = new Set<string>();
  for (const { path } of changes) {
    const { real } = await files.resolve(path);
    if (seen.has(real)) throw unreadable(`${path} is changed twice`);
    seen.add(real);
  }
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

async function bytesOf(files: Files, file: string): Promise<Uint8Array> {
  const bytes = await files.read(file, { start: 0, end: largestFile + 1 });
  if (bytes.length <= largestFile) return bytes;
  throw new ToolError("invalid_value", `${file} is larger than ${largestFile >> 20} MiB.`, {
    hint: "Nothing was changed. Files of this size cannot be patched.",
  });
}
