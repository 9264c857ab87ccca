import { createRequire } from "node:module";
import type { coerce, satisfies } from "semver";

const load = createRequire(import.meta.url);

/**
 * Whether a version (`1`, `1.2` or `1.2.3`) lies in a range by npm's rules; never in an unreadable one. What
 * nearly every manifest says, `^1`, needs no library.
 */
export function holds(range: string, version: string): boolean {
  const [, major] = /^\^([1-9]\d{0,5})$/.exec(range) ?? [];
  if (major !== undefined && /^\d+(\.\d+){0,2}$/.test(version)) return version.split(".")[0] === major;
  if (range.trim() === "") return false;
  const read = load("semver/functions/coerce.js") as typeof coerce;
  const isIn = load("semver/functions/satisfies.js") as typeof satisfies;
  return isIn(read(version) ?? version, range);
}
