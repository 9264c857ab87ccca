import { isAction } from "../language/actions.ts";
import { anyOf } from "../language/any-of.ts";
import { plain } from "../language/plain.ts";
import { correct } from "../language/spelling.ts";
import { findMarks } from "../marks/find-marks.ts";
import { blankMarks } from "../phrase/fold-expressions.ts";
import { longestRequest } from "../phrase/phrase.ts";

/** Between two sentences, lines, or steps that are told one after the other. */
const breaks = anyOf(
  "gi",
  /(?<=[.!?])\s+(?=\S)|(?<![\s;])(?:[^\S\n]*[\n;])+\s*/,
  /(?<![\s,;])[\s,;]+(?:and then|then|after that|afterwards|and after that)\b,?\s*/,
  /(?<![\s,])[\s,]+and\s+(?:also\s+)?(?=([a-z]+)\b)/,
);

export interface Steps {
  readonly parts: readonly string[];
  /** A step was left with the one before it because it says "it", and names nothing of its own. */
  readonly entangled: boolean;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function spansOf(blanked: string): readonly Span[] {
  const spans: Span[] = [];
  let start = 0;
  for (const match of blanked.matchAll(breaks)) {
    const verb = match[1];
    if (verb !== undefined && !isAction(correct(verb.toLowerCase()))) continue;
    spans.push({ start, end: match.index });
    start = match.index + match[0].length;
  }
  return [...spans, { start, end: blanked.length }].filter((span) =>
    /[\p{L}\p{N}\uFFFC]/u.test(blanked.slice(span.start, span.end)),
  );
}

/**
 * The steps of a request in order. Marked pieces such as quoted text are never cut; a step that says "it"
 * stays with the one before.
 */
export function splitRequest(request: string): Steps {
  const text = plain(request).slice(0, longestRequest);
  const marks = findMarks(text);
  const blanked = blankMarks(text, marks);
  const joined: Span[] = [];
  let entangled = false;
  for (const span of spansOf(blanked)) {
    const own = marks.filter(({ start, end }) => start >= span.start && end <= span.end);
    const last = joined.at(-1);
    const words = blanked.slice(span.start, span.end);
    const refersBack =
      !/\p{L}/u.test(words) || (/\b(?:it|them)\b/i.test(words) && !own.some(({ kind }) => kind === "path"));
    if (last === undefined || !refersBack) {
      joined.push(span);
      continue;
    }
    joined[joined.length - 1] = { start: last.start, end: span.end };
    entangled ||= own.length === 0;
  }
  const parts = joined.map(({ start, end }) =>
    request
      .slice(start, end)
      .trim()
      .replace(/^[,;]+|[,;]+$/g, ""),
  );
  return { parts, entangled };
}
