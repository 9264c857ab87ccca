import { ToolError, type FileInfo } from "@pergola/sdk";
import { checkDepth, type Copied, type Copying } from "./copy-budget.ts";
import { largestFile } from "./remote-files.ts";

/** Copies a file, or a folder with all that is in it but links, to a path on the other machine. */
export async function copyOut(copy: Copying, from: string, to: string): Promise<readonly Copied[]> {
  const { real } = await copy.context.files.resolve(from);
  const info = await copy.context.files.stat(real);
  if (info === undefined)
    throw new ToolError("file_not_found", `"${from}" does not exist.`, {
      hint: "List the folder to see what is there.",
    });
  if (info.kind === "directory") return copyFolder(copy, from, to, 1);
  return [await copyFile(copy, from, to, info)];
}

async function copyFile(
  { remote, context, budget }: Copying,
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
  copy: Copying,
  from: string,
  to: string,
  depth: number,
): Promise<readonly Copied[]> {
  checkDepth(from, depth);
  await copy.remote.makeFolders(to);
  const copied: Copied[] = [];
  for (const info of await copy.context.files.list(from)) {
    const source = `${from}/${info.name}`;
    const target = `${to}/${info.name}`;
    if (info.kind === "directory") copied.push(...(await copyFolder(copy, source, target, depth + 1)));
    if (info.kind === "file") copied.push(await copyFile(copy, source, target, info));
  }
  return copied;
}
