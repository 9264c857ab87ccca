import { checkDepth, mostFiles, type Copied, type Copying } from "./copy-budget.ts";

/**
 * Copies a file, or a folder with all that is in it but links, to a path here. Folders are made; what was
 * there is backed up.
 */
export async function copyIn(copy: Copying, from: string, to: string): Promise<readonly Copied[]> {
  const stats = await copy.remote.stat(from);
  if (stats.isDirectory()) return copyFolder(copy, from, to, 1);
  return [await copyFile(copy, from, to)];
}

async function copyFile({ remote, context, budget }: Copying, from: string, to: string): Promise<Copied> {
  context.progress(`Copying ${from}`);
  const bytes = await remote.read(from);
  budget.take(bytes.length);
  await context.files.write(to, bytes);
  return { remote: from, path: to, size: bytes.length };
}

async function copyFolder(
  copy: Copying,
  from: string,
  to: string,
  depth: number,
): Promise<readonly Copied[]> {
  checkDepth(from, depth);
  const copied: Copied[] = [];
  for (const { filename, attrs } of await copy.remote.list(from, mostFiles)) {
    const source = `${from}/${filename}`;
    const target = `${to}/${filename}`;
    if (attrs.isDirectory()) copied.push(...(await copyFolder(copy, source, target, depth + 1)));
    if (attrs.isFile()) copied.push(await copyFile(copy, source, target));
  }
  return copied;
}
