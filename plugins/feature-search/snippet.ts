import type { FoundMessage, Mark, TextTerm } from "@pergola/sdk/host";
import { findTerms, type Found } from "./find-marks.ts";

/** UTF-16 code units, without the signs for what is left out. */
const length = 200;

/** The plain text around the place where the most terms stand side by side, and where they stand in it. */
export function snippetOf(text: string, terms: readonly TextTerm[]): Pick<FoundMessage, "snippet" | "marks"> {
  const [from, to] = widen(text, bestSpan(findTerms(text, terms)));
  const body = text.slice(from, to).replaceAll(/\s+/g, " ").trim();
  const snippet = `${from > 0 ? "…" : ""}${body}${to < text.length ? "…" : ""}`;
  return { snippet, marks: marksOf(findTerms(snippet, terms)) };
}

type Span = readonly [start: number, end: number];

/** The first of the spans that hold the most different terms, and of these the most of them. */
function bestSpan(found: readonly Found[]): Span {
  const within = new Map<TextTerm, number>();
  let best: Span = [0, 0];
  let most = 0;
  let next = 0;
  for (const [at, { term, start }] of found.entries()) {
    for (; next <= at || (found[next]?.end ?? Infinity) - start <= length; next++)
      count(within, found[next]!.term, 1);
    const worth = within.size * found.length + next - at;
    if (worth > most) [best, most] = [[start, found[next - 1]!.end], worth];
    count(within, term, -1);
  }
  return best;
}

function count(within: Map<TextTerm, number>, term: TextTerm, by: 1 | -1): void {
  const now = (within.get(term) ?? 0) + by;
  if (now > 0) within.set(term, now);
  else within.delete(term);
}

/** As much of a text as is shown around a span, cut between words where there are spaces. */
function widen(text: string, [start, end]: Span): Span {
  const room = Math.max(0, length - (end - start));
  const last = Math.min(text.length, Math.max(0, start - Math.floor(room / 2)) + length);
  const first = Math.max(0, last - length);
  const before = text.slice(first, start).search(/\s/);
  const after = text.slice(end, last).search(/\s\S*$/);
  const from = first > 0 && before >= 0 ? first + before : first;
  const to = last < text.length && after >= 0 ? end + after : last;
  return [from + Number(isHalf(text, from)), to - Number(isHalf(text, to))];
}

/** Whether a cut here would part a character. */
const isHalf = (text: string, at: number): boolean => /^[\uDC00-\uDFFF]/.test(text.slice(at, at + 1));

function marksOf(found: readonly Found[]): readonly Mark[] {
  const spans: [number, number][] = [];
  for (const { start, end } of found) {
    const last = spans.at(-1);
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end);
    else spans.push([start, end]);
  }
  return spans.map(([start, end]) => [start, end - start]);
}
