import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import path from "node:path";
import type { FileInfo, Files } from "@pergola/sdk";
import type { FileState, RestoredFile } from "@pergola/sdk/host";

export const sha256 = (bytes: Uint8Array | string): string =>
  createHash("sha256").update(bytes).digest("hex");

/** What stands at a path, and its bytes where it is a file that may be kept. */
export interface Seen {
  readonly state: FileState | null;
  readonly bytes?: Uint8Array;
}

/** The hash of a content, where there is one. */
export const digestOf = (bytes: Uint8Array | undefined): string | null =>
  bytes === undefined ? null : sha256(bytes);

export const stateOf = (
  { mode, size }: Pick<FileInfo, "mode" | "size">,
  kind: FileState["kind"],
  digest: string | null = null,
): FileState => ({
  kind,
  sha256: digest,
  size: kind === "file" ? size : 0,
  mode,
});

/**
 * Files of more than `limit` bytes are not read. Rejects as the door does; what is neither file, folder nor
 * link counts as a link.
 */
export async function see(files: Files, file: string, limit: number): Promise<Seen> {
  const info = await files.stat(file);
  if (info === undefined) return { state: null };
  if (info.kind === "directory") return { state: stateOf(info, "directory") };
  if (info.kind !== "file") return { state: stateOf(info, "link") };
  if (info.size > limit) return { state: stateOf(info, "file") };
  const bytes = await files.read(file);
  return { state: { ...stateOf(info, "file", sha256(bytes)), size: bytes.length }, bytes };
}

/**
 * Whether what is there is exactly what was left there. Of a file that was too large to be read this is never
 * sure.
 */
export function isSame(there: FileState | null, left: FileState | null): boolean {
  if (there === null || left === null) return there === left;
  if (there.kind !== left.kind) return false;
  if (there.kind !== "file") return true;
  const sameMode = there.mode === null || left.mode === null || (there.mode & 0o777) === (left.mode & 0o777);
  return sameMode && there.sha256 !== null && there.sha256 === left.sha256;
}

/** The file that a content makes; null without one: the file is removed. */
export function fileOf(content: RestoredFile["content"], mode: number | null): FileState | null {
  if (content === undefined) return null;
  if (typeof content !== "string" && !(content instanceof Uint8Array))
    return { kind: "file", sha256: content.sha256, size: content.size, mode };
  return {
    kind: "file",
    sha256: sha256(content),
    size: Buffer.byteLength(content),
    mode,
  };
}

export const folder: FileState = {
  kind: "directory",
  sha256: null,
  size: 0,
  mode: null,
};

/** Folders above a path that are not there yet, the highest first. */
export function missingAbove(real: string): readonly string[] {
  const above = path.dirname(real);
  if (above === real || existsSync(above)) return [];
  return [...missingAbove(above), above];
}
