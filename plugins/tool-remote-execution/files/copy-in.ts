import { ToolError, type ToolContext } from "@pergola/sdk";
import { deepest, mostFiles, type CopyBudget } from "./copy-budget.ts";
import type { RemoteFiles } from "./remote-files.ts";

/** A file that was copied: where it is on the other machine and here, and its bytes. */
export type Copied = { readonly remote: string; readonly path: string; readonly size: number };

export interface CopyIn {
  readonly remote: RemoteFiles;
  readonly context: ToolContext;
  readonly budget: CopyBudget;
}

/**
 * Copies a file, or a folder with all that is in it but links, to a path here. Folders are made; what was
 * there is backed up.
 */
export async function copyIn(copy: CopyIn, from: string, to: string): Promise<readonly Copied[]> {
  const stats = await copy.remote.stat(from);
  return stats.isDirectory() ? copyFolder(copy, from, to, 1) : [await copyFile(copy, from, to)];
}

async function copyFile({ remote, context, budget }: CopyIn, from: string, to: string): Promise<Copied> {
  context.progress(`Copying ${from}`);
  const bytes = await remote.read(from);
  budget.take(bytes.length);
  await context.files.write(to, bytes);
  return { remote: from, path: to, size: bytes.length };
}

async function copyFolder(copy: CopyIn, from: string, to: string, depth: number): Promise<readonly Copied[]> {
  if (depth > deepest)
    throw new ToolError("generic_error", `${from} lies too deep.`, {
      hint: `At most ${deepest} folders are entered.`,
    });
  const copied: Copied[] = [];
  for (const { filename, attrs } of await copy.remote.list(from, mostFiles)) {
    const [source, target] = [`${from}/${filename}`, `${to}/${filename}`];
    if (attrs.isDirectory()) copied.push(...(await copyFolder(copy, source, target, depth + 1)));
    if (attrs.isFile()) copied.push(await copyFile(copy, source, target));
  }
  return copied;
}
