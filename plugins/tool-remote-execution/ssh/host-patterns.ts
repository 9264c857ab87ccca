import { createHmac } from "node:crypto";

/**
 * `|1|salt|hash`: HMAC-SHA1 of the name under the salt, both in base64 (sshd(8), SSH_KNOWN_HOSTS FILE
 * FORMAT).
 */
function matchesHashed(pattern: string, name: string): boolean {
  const [, version, salt = "", hash] = pattern.split("|");
  return (
    version === "1" && createHmac("sha1", Buffer.from(salt, "base64")).update(name).digest("base64") === hash
  );
}

/** `*` is any number of characters, `?` is one; case does not count. */
function matchesGlob(pattern: string, name: string): boolean {
  const source = pattern
    .toLowerCase()
    .replace(/\*+/g, "*")
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${source}$`).test(name);
}

function matches(pattern: string, name: string): boolean {
  if (pattern.startsWith("|")) return matchesHashed(pattern, name);
  return matchesGlob(pattern, name);
}

/**
 * Whether a host's name (`name`, or `[name]:port` for a port that is not 22) fits a line's patterns;
 * `!pattern` excludes.
 */
export function fitsHost(patterns: string, name: string): boolean {
  const all = patterns.split(",");
  const excluded = all.some((pattern) => pattern.startsWith("!") && matches(pattern.slice(1), name));
  return !excluded && all.some((pattern) => !pattern.startsWith("!") && matches(pattern, name));
}
