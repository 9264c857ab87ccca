import { globSource } from "./glob-source.ts";

const longest = 256;

interface Rule {
  readonly text: string;
  readonly source: string;
  readonly isNegated: boolean;
  readonly foldersOnly: boolean;
}

/** What a gitignore file says of a path: the text of the rule that decides, or nothing. */
export interface Ruling {
  readonly ignored: boolean;
  readonly rule: string;
}

/** The rules of one gitignore file. Paths are relative to the folder it stands in. */
export interface IgnoreRules {
  check(path: string, isFolder: boolean): Ruling | undefined;
}

/**
 * Compiles a gitignore file. The rules come from whoever wrote the repository, so they are matched by RE2 too: first all of them at
 * once, as most paths meet none, then from the last to the first, as the last one that matches decides.
 */
export async function compileIgnoreRules(text: string): Promise<IgnoreRules> {
  const { RE2JS } = await import("re2js");
  const compile = (source: string) => RE2JS.compile(source, RE2JS.DOTALL);
  const compiled = text.split(/\r?\n/).flatMap((line) => {
    const rule = parseRule(line);
    if (rule === undefined) return [];
    try {
      return [{ ...rule, expression: compile(rule.source) }];
    } catch {
      return [];
    }
  });
  if (compiled.length === 0) return { check: () => undefined };
  const any = compile(compiled.map(({ source }) => source).join("|"));
  return {
    check(path, isFolder) {
      if (!any.test(path)) return undefined;
      const decisive = compiled.findLast(({ expression, foldersOnly }) => (isFolder || !foldersOnly) && expression.test(path));
      return decisive && { ignored: !decisive.isNegated, rule: decisive.text };
    },
  };
}

function parseRule(line: string): Rule | undefined {
  if (line.length > longest) return undefined;
  const trimmed = line.replace(/(?<!\\) +$/, "");
  if (trimmed === "" || trimmed.startsWith("#")) return undefined;
  const isNegated = trimmed.startsWith("!");
  const pattern = isNegated ? trimmed.slice(1) : trimmed;
  const foldersOnly = pattern.endsWith("/");
  const text = foldersOnly ? pattern.slice(0, -1) : pattern;
  const anchored = text.includes("/");
  const source = `^${anchored ? "" : "(?:.*/)?"}${globSource(text.replace(/^\//, ""), { braces: false })}$`;
  return { text, source, isNegated, foldersOnly };
}
