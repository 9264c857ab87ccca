import path from "node:path";

/**
 * Whether `file` is `folder` or lies below it, by segment: `/a/bc` is not below `/a/b`. Both are absolute
 * paths.
 */
export function isBelow(folder: string, file: string): boolean {
  const steps = path.relative(folder, file);
  return !path.isAbsolute(steps) && steps.split(path.sep)[0] !== "..";
}
