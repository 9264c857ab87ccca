import { RE2JS } from "re2js";
import { globSource } from "../search/glob-source.ts";
import type { WaitingFiles } from "./waiting-files.ts";

const mostFiles = 20_000;

/**
 * A pattern of a tsconfig as an expression over paths relative to its folder; a folder's name means all that
 * is in it.
 */
function expressionOf(pattern: string): RE2JS {
  const text = pattern.replace(/^\.\//, "").replace(/\/+$/, "");
  const source = globSource(text, { braces: false });
  return RE2JS.compile(`^(?:${source}|${source}/.*)$`, RE2JS.DOTALL);
}

/**
 * The files that a project's `include` and `exclude` leave, as absolute paths. `node_modules` is never looked
 * into.
 */
export function projectFiles(
  files: WaitingFiles,
  folder: string,
  patterns: Readonly<Record<"extensions" | "includes" | "excludes", readonly string[]>>,
): readonly string[] {
  const included = patterns.includes.map(expressionOf);
  const excluded = patterns.excludes.map(expressionOf);
  const matches = (expressions: readonly RE2JS[], path: string) =>
    expressions.some((expression) => expression.test(path));
  const found: string[] = [];
  const pending = [""];
  for (let inside = pending.pop(); inside !== undefined && found.length < mostFiles; inside = pending.pop()) {
    for (const [name, isFolder] of files.list(`${folder}${inside}`) ?? []) {
      const relative = `${inside}/${name}`.slice(1);
      if (name === "node_modules" || name === ".git" || matches(excluded, relative)) continue;
      if (isFolder) pending.push(`${inside}/${name}`);
      else if (patterns.extensions.some((end) => name.endsWith(end)) && matches(included, relative))
        found.push(`${folder}/${relative}`);
    }
  }
  return found;
}
