import type { SyntaxFault } from "@pergola/kit-code-symbols";
import { printParseErrorCode, visit, type JSONVisitor } from "jsonc-parser";

/** Strict JSON, or the form of settings files, with comments and commas before a closing bracket. */
type JsonDialect = "json" | "jsonc";

/** What each fault of the parser means. */
const problems: Readonly<Record<ReturnType<typeof printParseErrorCode>, string>> = {
  InvalidSymbol: "this is not JSON",
  InvalidNumberFormat: "this is not a number",
  PropertyNameExpected: "a property name in quotes should stand here",
  ValueExpected: "a value should stand here",
  ColonExpected: "a colon should stand here",
  CommaExpected: "a comma or a closing bracket should stand here",
  CloseBraceExpected: 'a comma or "}" should stand here',
  CloseBracketExpected: 'a comma or "]" should stand here',
  EndOfFileExpected: "the text should end here",
  InvalidCommentToken: "comments are not allowed in this file",
  UnexpectedEndOfComment: "the comment does not end",
  UnexpectedEndOfString: "the string does not end on its line",
  UnexpectedEndOfNumber: "the number is incomplete",
  InvalidUnicode: "a Unicode escape has four hexadecimal digits",
  InvalidEscapeCharacter: "JSON has no such escape",
  InvalidCharacter: "a control character must be escaped",
  "<unknown ParseErrorCode>": "this is not JSON",
};

const excerptLength = 20;
const tooDeep: SyntaxFault = { line: 1, column: 1, message: "Nested too deeply to be checked" };

/** The first fault of a JSON text, if it has one. */
export function jsonErrors(text: string, dialect: JsonDialect): readonly SyntaxFault[] {
  const json = text.replace(/^\ufeff/, "");
  const faults: SyntaxFault[] = [];
  const onError: JSONVisitor["onError"] = (...[code, at, length, line, column]) => {
    if (faults.length > 0) return;
    const excerpt = json.slice(at, at + Math.min(length, excerptLength));
    const found = excerpt === "" ? "Unexpected end" : `Unexpected ${JSON.stringify(excerpt)}`;
    const message = `${found}: ${problems[printParseErrorCode(code)]}`;
    faults.push({ line: line + 1, column: column + 1, message });
  };
  const options = { disallowComments: dialect === "json", allowTrailingComma: dialect === "jsonc" };
  try {
    visit(json, { onError }, options);
    return faults;
  } catch (error) {
    if (error instanceof RangeError) return [tooDeep];
    throw error;
  }
}

const relaxed =
  /(^|\/)(tsconfig[^/]*|jsconfig[^/]*|\.eslintrc|\.babelrc|\.swcrc|\.jshintrc|devcontainer|language-configuration|api-extractor)\.json$|\.jsonc$|(^|\/)\.(vscode|devcontainer)\/|\.code-workspace$/;

/**
 * How a file's JSON is written, by its path; undefined for other files. Files of one value a line are none.
 */
export function jsonDialectOf(path: string): JsonDialect | undefined {
  if (!/\.(jsonc?|code-workspace)$/.test(path)) return undefined;
  if (relaxed.test(path)) return "jsonc";
  return "json";
}
