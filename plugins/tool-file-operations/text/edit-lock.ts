import type { ToolContext } from "@pergola/sdk";

const tails = new Map<string, Promise<unknown>>();

/**
 * Runs edits of the same file one after the other, so that two calls which read, change and write it do not
 * undo each other. Files are told apart by their real path.
 */
export async function withFileLock<T>(
  context: ToolContext,
  path: string,
  edit: () => Promise<T>,
): Promise<T> {
  return withFileLocks(context, [path], edit);
}

/** The same for an edit of several files. */
export async function withFileLocks<T>(
  context: ToolContext,
  paths: readonly string[],
  edit: () => Promise<T>,
): Promise<T> {
  const checked = await Promise.all(paths.map((path) => context.files.resolve(path)));
  const keys = [...new Set(checked.map(({ real }) => real))];
  const before = Promise.all(keys.flatMap((key) => tails.get(key) ?? []));
  const result = before.then(edit);
  const settled = result.catch(() => undefined);
  for (const key of keys) tails.set(key, settled);
  void settled.then(() => {
    for (const key of keys) if (tails.get(key) === settled) tails.delete(key);
  });
  return result;
}
