import type { ToolContext } from "@pergola/sdk";
import { textBlocks, type TextBlock } from "../text/blocks.ts";
import { lineEndAfter } from "../text/lines.ts";
import type { LineMatcher, Match } from "./line-matcher.ts";
import type { Pace } from "./pace.ts";

const longestLine = 1000;

export type LineMatch = {
  readonly lineNumber: number;
  /** The line without its end; of a very long line the part around the match. */
  readonly lineText: string;
  readonly matchText: string;
};

export interface Grep {
  readonly matcher: LineMatcher;
  readonly pace: Pace;
  /** Look into binary files too. */
  readonly binary: boolean;
}

/** The matching lines of a file, one match for each. */
export async function* grepFile(
  context: ToolContext,
  path: string,
  { matcher, pace, binary }: Grep,
): AsyncGenerator<LineMatch> {
  for await (const block of textBlocks(context, path, { size: matcher.blockBytes, binary })) {
    yield* matchesIn(block, matcher);
    await pace.spend(block.text.length * matcher.cost);
  }
}

function* matchesIn({ text, firstLine }: TextBlock, matcher: LineMatcher): Iterable<LineMatch> {
  let lineNumber = firstLine;
  let lineStart = 0;
  for (const match of matcher.find(text)) {
    for (
      let feed = text.indexOf("\n", lineStart);
      feed >= 0 && feed < match.index;
      feed = text.indexOf("\n", lineStart)
    ) {
      lineStart = feed + 1;
      lineNumber += 1;
    }
    yield {
      lineNumber,
      lineText: lineText(text, lineStart, match),
      matchText: text.slice(match.index, match.index + match.length),
    };
  }
}

function lineText(text: string, start: number, { index, length }: Match): string {
  const line = text.slice(start, lineEndAfter(text, index)).replace(/\r$/, "");
  if (line.length <= longestLine) return line;
  const middle = index - start + Math.min(length, longestLine) / 2;
  const first = Math.max(0, Math.floor(middle - longestLine / 2));
  const last = first + longestLine;
  return `${ellipsis(first > 0)}${line.slice(first, last)}${ellipsis(last < line.length)}`;
}

const ellipsis = (isCut: boolean): string => (isCut ? "…" : "");
