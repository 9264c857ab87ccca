import { countOf, ToolError } from "@pergola/sdk";
import { fitLineEnds } from "./lines.ts";
import { findMatches, similarLine, type Matches } from "./matches.ts";

export interface Replacement {
  /** As the caller spelled it, for messages. */
  readonly filePath: string;
  readonly oldString: string;
  readonly newString: string;
  readonly expectedReplacements?: number | undefined;
  readonly replaceAll?: boolean;
}

export interface Replaced {
  readonly text: string;
  readonly count: number;
}

/**
 * Replaces one exact piece of a text; the pieces follow the text's line ends. Throws ToolError `not_found`
 * without a match, `ambiguous_match` for several unless `replaceAll` or `expectedReplacements` says so, and
 * for any other number than the expected one.
 */
export function replace(text: string, replacement: Replacement): Replaced {
  const oldString = fitLineEnds(replacement.oldString, text);
  const newString = fitLineEnds(replacement.newString, text);
  const pieces = text.split(oldString);
  const count = pieces.length - 1;
  if (count === 0) throw noMatch(text, replacement);
  const { expectedReplacements, replaceAll = false } = replacement;
  const matches = findMatches(text, oldString);
  if (expectedReplacements !== undefined && expectedReplacements !== count)
    throw wrongCount({ ...matches, count }, replacement);
  if (expectedReplacements === undefined && !replaceAll) requireOne(matches, replacement);
  return { text: pieces.join(newString), count };
}

function requireOne(matches: Matches, { filePath }: Replacement): void {
  if (matches.count === 1) return;
  throw new ToolError(
    "ambiguous_match",
    `oldString matches ${matches.count} times in ${filePath}, on lines ${list(matches)}.`,
    {
      hint:
        "Nothing was changed. Put more of the lines around it into oldString, or set replaceAll or " +
        "expectedReplacements.",
      fields: { matchCount: matches.count, lines: matches.lines },
    },
  );
}

function wrongCount(matches: Matches, { filePath, expectedReplacements }: Replacement): ToolError {
  const found = `${countOf(matches.count, "time")} in ${filePath}, on lines ${list(matches)}`;
  const code = matches.count > 1 ? "ambiguous_match" : "invalid_value";
  return new ToolError(code, `oldString matches ${found}, not ${expectedReplacements ?? 1}.`, {
    hint:
      "Nothing was changed. Correct expectedReplacements, or put more of the lines around it into " +
      "oldString.",
    fields: { matchCount: matches.count, lines: matches.lines },
  });
}

function noMatch(text: string, { filePath, oldString }: Replacement): ToolError {
  const line = similarLine(text, oldString);
  const hint =
    line === undefined
      ? "Read the file and copy the text exactly."
      : `Line ${line} begins alike: read on from there and copy the text exactly.`;
  return new ToolError("not_found", `oldString does not occur in ${filePath}.`, {
    hint: `Nothing was changed. ${hint}`,
  });
}

const list = ({ count, lines }: Matches): string => lines.join(", ") + (count > lines.length ? ", …" : "");
