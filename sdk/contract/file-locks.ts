import type { Files } from "./context.ts";

const tails = new Map<string, Promise<unknown>>();

/**
 * Runs edits of the same files one after the other, in all plugins, so that calls which read, change and
 * write a file do not overwrite each other's changes. Files are compared by their real paths. Resolves or
 * rejects as `edit` does.
 */
export async function withFileLocks<T>(
  files: Pick<Files, "resolve">,
  paths: readonly string[],
  edit: () => Promise<T>,
): Promise<T> {
  const resolved = await Promise.all(paths.map((path) => files.resolve(path)));
  const keys = [...new Set(resolved.map(({ real }) => real))];
  const before = Promise.all(keys.flatMap((key) => tails.get(key) ?? []));
  const result = before.then(edit);
  const settled = result.catch(() => undefined);
  for (const key of keys) tails.set(key, settled);
  void settled.then(() => {
    for (const key of keys) if (tails.get(key) === settled) tails.delete(key);
  });
  return result;
}
