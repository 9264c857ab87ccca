import type { FilePatch } from "./file-patch.ts";

/** What a patch does to one file, without its lines. */
export interface PartOutline {
  readonly kind: FilePatch["kind"];
  readonly path: string;
  readonly movedTo?: string | undefined;
  /** Whether the file's text must be known. */
  readonly hasHunks: boolean;
}

export const outlineOf = (parts: readonly FilePatch[]): readonly PartOutline[] =>
  parts.map((part) => ({
    kind: part.kind,
    path: part.path,
    movedTo: part.kind === "update" ? part.movedTo : undefined,
    hasHunks: part.kind !== "add" && part.hunks.length > 0,
  }));

/** Every path that a part of a patch names. */
export const pathsOf = ({ path, movedTo }: PartOutline): readonly string[] =>
  movedTo === undefined ? [path] : [path, movedTo];
