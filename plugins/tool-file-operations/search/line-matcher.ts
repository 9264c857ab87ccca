import { ToolError } from "@pergola/sdk";
import { lineEndAfter } from "../text/lines.ts";

const longestExpression = 1000;

/** Where in a text a match stands; at most one for each line it begins on. */
export interface Match {
  readonly index: number;
  readonly length: number;
}

export interface LineMatcher {
  /** Work units a character costs, for pacing. */
  readonly cost: number;
  /** Bytes of text to hand over at once: small enough that one piece never takes long. */
  readonly blockBytes: number;
  find(text: string): Iterable<Match>;
}

/** Matches the exact text. */
export function textMatcher(query: string): LineMatcher {
  return { cost: 1, blockBytes: 1 << 20, find: (text) => findText(text, query) };
}

/**
 * Matches an expression in RE2's syntax, line by line, in time linear in the text whatever the expression.
 * Throws ToolError `invalid_value` for what RE2 does not know, such as look-ahead and back-references.
 */
export async function expressionMatcher(query: string): Promise<LineMatcher> {
  if (query.length > longestExpression) {
    throw new ToolError(
      "invalid_value",
      `The regular expression is longer than ${longestExpression} characters.`,
      {
        hint: "Search for less.",
      },
    );
  }
  const { RE2JS } = await import("re2js");
  try {
    const expression = RE2JS.compile(query);
    return { cost: 16, blockBytes: 1 << 16, find: (text) => findExpression(text, expression) };
  } catch (cause) {
    const reason =
      cause instanceof Error ? cause.message.replace(/^error parsing regexp: /, "") : "it cannot be read";
    const hint =
      "The syntax is RE2's: no look-around and no back-references. Set isRegexp to false to search for the " +
      "text as it is.";
    throw new ToolError("invalid_value", `query is not a regular expression: ${reason}.`, { hint, cause });
  }
}

function* findText(text: string, query: string): Iterable<Match> {
  for (let index = text.indexOf(query); index >= 0;) {
    yield { index, length: query.length };
    const lineEnd = text.indexOf("\n", index + query.length - 1);
    if (lineEnd < 0) return;
    index = text.indexOf(query, lineEnd);
  }
}

interface Expression {
  test(text: string): boolean;
  matcher(text: string): { find(): boolean; start(): number; end(): number };
}

function* findExpression(text: string, expression: Expression): Iterable<Match> {
  for (let start = 0; start < text.length;) {
    const end = lineEndAfter(text, start);
    const line = text.slice(start, end).replace(/\r$/, "");
    if (expression.test(line)) {
      const matcher = expression.matcher(line);
      if (matcher.find()) yield { index: start + matcher.start(), length: matcher.end() - matcher.start() };
    }
    start = end + 1;
  }
}
