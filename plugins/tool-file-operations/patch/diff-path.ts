import { malformed } from "./patch.ts";

const escapes: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '"': 34,
  "\\": 92,
};

/** A path in the quotes that git puts round unusual names: escapes, and bytes in octal. */
function unquoted(text: string): string {
  const bytes: number[] = [];
  const pattern = /\\([0-7]{3})|\\(.)|([^\\]+)/gs;
  for (const [, octal, escape, plain] of text.slice(1, -1).matchAll(pattern)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    if (escape !== undefined) bytes.push(escapes[escape] ?? escape.charCodeAt(0));
    if (plain !== undefined) bytes.push(...Buffer.from(plain));
  }
  return Buffer.from(bytes).toString("utf8");
}

/** The path after `--- ` or `+++ `: without its time, unquoted; undefined for `/dev/null`. */
export function diffPath(text: string): string | undefined {
  const name = text.replace(/\t.*$/s, "").trimEnd();
  if (name === "/dev/null") return undefined;
  const path = /^".*"$/s.test(name) ? unquoted(name) : name;
  if (path === "") throw malformed("a file header names no file");
  return path;
}

/** Both paths without git's `a/` and `b/`, when they have them. */
export function withoutPrefixes(
  old: string | undefined,
  fresh: string | undefined,
): readonly [old: string | undefined, fresh: string | undefined] {
  const hasPrefixes = (old?.startsWith("a/") ?? true) && (fresh?.startsWith("b/") ?? true);
  return hasPrefixes ? [old?.slice(2), fresh?.slice(2)] : [old, fresh];
}

/**
 * Both paths of a line `diff --git a/x b/x`. Without quotes they can only be told apart when they are the
 * same.
 */
export function gitPaths(line: string): readonly [old: string, fresh: string] | undefined {
  const names = line.slice("diff --git ".length);
  const [, first, second] = /^("(?:[^"\\]|\\.)*") ("(?:[^"\\]|\\.)*")$/.exec(names) ?? [];
  const middle = (names.length - 1) / 2;
  const [old, fresh] = withoutPrefixes(
    diffPath(first ?? names.slice(0, middle)),
    diffPath(second ?? names.slice(middle + 1)),
  );
  return old !== undefined && old === fresh ? [old, fresh] : undefined;
}
