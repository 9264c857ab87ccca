import { ToolError, type FileInfo, type ToolContext } from "@pergola/sdk";
import { deepest, type CopyBudget } from "./copy-budget.ts";
import type { Copied } from "./copy-in.ts";
import { largestFile, type RemoteFiles } from "./remote-files.ts";

export interface CopyOut {
  readonly remote: RemoteFiles;
  readonly context: ToolContext;
  readonly budget: CopyBudget;
}

/** Copies a file, or a folder with all that is in it but links, to a path on the other machine. */
export async function copyOut(copy: CopyOut, from: string, to: string): Promise<readonly Copied[]> {
  const { real } = await copy.context.files.resolve(from);
  const info = await copy.context.files.stat(real);
  if (info === undefined)
    throw new ToolError("file_not_found", `"${from}" does not exist.`, {
      hint: "List the folder to see what is there.",
    });
  return info.kind === "directory" ? copyFolder(copy, from, to, 1) : [await copyFile(copy, from, to, info)];
}

async function copyFile(
  { remote, context, budget }: CopyOut,
  from: string,
  to: string,
  { size, mode }: FileInfo,
): Promise<Copied> {
  if (size > largestFile)
    throw new ToolError("generic_error", `"${from}" is larger than ${largestFile >> 20} MiB.`, {
      hint: "Split it first.",
    });
  budget.take(size);
  context.progress(`Copying ${from}`);
  const bytes = Buffer.from(await context.files.read(from));
  await remote.write(to, bytes, mode & 0o777);
  return { remote: to, path: from, size: bytes.length };
}

async function copyFolder(
  copy: CopyOut,
  from: string,
  to: string,
  depth: number,
): Promise<readonly Copied[]> {
  if (depth > deepest)
    throw new ToolError("generic_error", `${from} lies too deep.`, {
      hint: `At most ${deepest} folders are entered.`,
    });
  await copy.remote.makeFolders(to);
  const copied: Copied[] = [];
  for (const info of await copy.context.files.list(from)) {
    const [source, target] = [`${from}/${info.name}`, `${to}/${info.name}`];
    if (info.kind === "directory") copied.push(...(await copyFolder(copy, source, target, depth + 1)));
    if (info.kind === "file") copied.push(await copyFile(copy, source, target, info));
  }
  return copied;
}
