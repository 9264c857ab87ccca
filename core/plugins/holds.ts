import coerce from "semver/functions/coerce.js";
import satisfies from "semver/functions/satisfies.js";

/** Whether a version (`1`, `1.2` or `1.2.3`) lies in a range by npm's rules; never in an unreadable one. */
export const holds = (range: string, version: string): boolean =>
  range.trim() !== "" && satisfies(coerce(version) ?? version, range);
