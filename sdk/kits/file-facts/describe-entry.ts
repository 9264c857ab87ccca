import { ToolError, type FileInfo, type Files, type Json } from "@pergola/sdk";
import { entryFacts } from "./entry-facts.ts";
import { humanSize } from "./human-size.ts";

/** What the content of a file tells, in the names of a tool's result. */
export type ContentFacts = { readonly type_description: string } & { readonly [name: string]: Json };

/**
 * The facts of a file or folder, and those of its content that `read` finds, as a tool's result. When nothing
 * is there, reading it fails with the door's own error, which names close paths.
 */
export async function describeEntry(
  files: Files,
  path: string,
  read: (info: FileInfo) => Promise<ContentFacts>,
) {
  const info = await findEntry(files, path);
  const facts = await read(info);
  return {
    data: { ...entryFacts(info), ...facts },
    message: `${path}: ${facts.type_description}, ${humanSize(info.size)}.`,
  };
}

async function findEntry(files: Files, path: string): Promise<FileInfo> {
  const info = await files.stat(path);
  if (info !== undefined) return info;
  await files.read(path, { start: 0, end: 0 });
  throw new ToolError("file_not_found", `${path} does not exist.`, {
    hint: "List the folder it should be in.",
  });
}
