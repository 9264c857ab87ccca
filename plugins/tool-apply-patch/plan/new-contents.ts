import { isUtf8 } from "node:buffer";
import { ToolError } from "@pergola/sdk";
import { unreadable, type FilePatch } from "../file-patch.ts";
import { readPatch } from "../read/read-patch.ts";
import { applyHunks } from "./apply-hunks.ts";

/** A patch, and the bytes of each file whose text it names; undefined for the others. */
export interface PatchInput {
  readonly patch: string;
  readonly sources: readonly (Uint8Array | undefined)[];
}

/**
 * What the files of a patch hold when it is applied, in its order; undefined for those it only moves or
 * deletes.
 */
export const newContents = ({ patch, sources }: PatchInput): readonly (string | undefined)[] =>
  readPatch(patch).map((part, index) => newContent(part, sources[index]));

function newContent(part: FilePatch, source: Uint8Array | undefined): string | undefined {
  if (part.kind === "add") return part.content;
  if (source === undefined) return undefined;
  const content = applyHunks(textOf(part.path, source), part.hunks, part.path);
  if (part.kind === "update") return content;
  if (content === "") return undefined;
  throw unreadable(`${part.path} is to be deleted, but has lines that the patch does not know`);
}

function textOf(file: string, bytes: Uint8Array): string {
  if (isUtf8(bytes) && !bytes.includes(0)) return Buffer.from(bytes).toString("utf8");
  throw new ToolError("invalid_value", `${file} is not a UTF-8 text.`, {
    hint: "Nothing was changed. Patches work on text files only.",
  });
}
