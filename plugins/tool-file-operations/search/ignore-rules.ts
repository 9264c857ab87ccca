import { globSource } from "./glob-source.ts";

const longest = 256;
const mostStars = 8;
const mostWildcardRules = 500;
const wildcards = /[*?[\\]/;

interface Rule {
  /** The rule without its marks: `*.log` of `!*.log`, `dist` of `/dist/`. */
  readonly text: string;
  /** Its place in the file; of the rules that match a path the last one decides. */
  readonly order: number;
  readonly isNegated: boolean;
  readonly foldersOnly: boolean;
  /** It has a slash and so is meant for one path, not for a name in any folder. */
  readonly isAnchored: boolean;
}

/** What a gitignore file says of a path: the text of the rule that decides, or nothing. */
export interface Ruling {
  readonly ignored: boolean;
  readonly rule: string;
}

/** The rules of one gitignore file. Paths are relative to the folder it stands in. */
export interface IgnoreRules {
  readonly check: (path: string, isFolder: boolean) => Ruling | undefined;
}

type Finder = (path: string) => readonly Rule[];

/**
 * Compiles a gitignore file. The rules come from whoever wrote the repository, so matching takes linear time:
 * names are looked up, and patterns are matched by RE2, first all at once, as most paths meet none. Rules
 * longer than 256 characters or with more than 8 stars, and patterns after the 500th, are left out.
 */
export async function compileIgnoreRules(text: string): Promise<IgnoreRules> {
  const rules = text.split(/\r?\n/).flatMap((line, order) => parseRule(line, order) ?? []);
  const finders = [literalFinder(rules), await patternFinder(rules)];
  return {
    check(path, isFolder) {
      let decisive: Rule | undefined;
      for (const rule of finders.flatMap((find) => find(path))) {
        const applies = isFolder || !rule.foldersOnly;
        if (applies && rule.order >= (decisive?.order ?? 0)) decisive = rule;
      }
      return decisive && { ignored: !decisive.isNegated, rule: decisive.text };
    },
  };
}

function parseRule(line: string, order: number): Rule | undefined {
  if (line.length > longest) return undefined;
  const trimmed = line.replace(/(?<!\\) +$/, "");
  if (trimmed === "" || trimmed.startsWith("#")) return undefined;
  const isNegated = trimmed.startsWith("!");
  const pattern = trimmed.replace(/^!/, "");
  const foldersOnly = pattern.endsWith("/");
  const text = pattern.replace(/\/$/, "");
  return {
    text: text.replace(/^\//, ""),
    order,
    isNegated,
    foldersOnly,
    isAnchored: text.includes("/"),
  };
}

function literalFinder(rules: readonly Rule[]): Finder {
  const byName = new Map<string, Rule[]>();
  const byPath = new Map<string, Rule[]>();
  for (const rule of rules.filter(({ text }) => !wildcards.test(text))) {
    const table = rule.isAnchored ? byPath : byName;
    table.set(rule.text, [...(table.get(rule.text) ?? []), rule]);
  }
  return (path) => [
    ...(byName.get(path.slice(path.lastIndexOf("/") + 1)) ?? []),
    ...(byPath.get(path) ?? []),
  ];
}

async function patternFinder(rules: readonly Rule[]): Promise<Finder> {
  const patterns = rules
    .filter(({ text }) => wildcards.test(text) && text.split("*").length <= mostStars + 1)
    .slice(0, mostWildcardRules);
  if (patterns.length === 0) return () => [];
  const { RE2JS } = await import("re2js");
  const compiled = patterns.flatMap((rule) => {
    const source = `^${rule.isAnchored ? "" : "(?:.*/)?"}${globSource(rule.text, { braces: false })}$`;
    try {
      return [{ rule, source, expression: RE2JS.compile(source, RE2JS.DOTALL) }];
    } catch {
      return [];
    }
  });
  const any = RE2JS.compile(compiled.map(({ source }) => source).join("|"), RE2JS.DOTALL);
  return (path) => {
    if (!any.test(path)) return [];
    return compiled.filter(({ expression }) => expression.test(path)).map(({ rule }) => rule);
  };
}
