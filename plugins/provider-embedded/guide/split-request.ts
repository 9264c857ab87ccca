import { isAction } from "../language/actions.ts";
import { plain } from "../language/plain.ts";
import { correct } from "../language/spelling.ts";
import { findMarks } from "../marks/find-marks.ts";
import { blankMarks } from "../phrase/fold-expressions.ts";

/** Between two sentences, lines, or steps that are told one after the other. */
const breaks = /(?<=[.!?])\s+(?=\S)|\s*\n+\s*|\s*[,;]?\s*\b(?:and then|then|after that|afterwards|and after that)\b,?\s*|\s*;\s*|\s*,?\s+and\s+(?:also\s+)?(?=([a-z]+)\b)/gi;

/** The steps of a request in order; marked pieces such as quoted text are never cut. One element when there is one step. */
export function splitRequest(request: string): readonly string[] {
  const text = plain(request).slice(0, 4000);
  const blanked = blankMarks(text, findMarks(text));
  const parts: string[] = [];
  let start = 0;
  for (const match of blanked.matchAll(breaks)) {
    const verb = match[1];
    if (verb !== undefined && !isAction(correct(verb.toLowerCase()))) continue;
    parts.push(request.slice(start, match.index));
    start = match.index + match[0].length;
  }
  return [...parts, request.slice(start)].map((part) => part.trim().replace(/^[,;]+|[,;]+$/g, "")).filter((part) => /[\p{L}\p{N}]/u.test(part));
}
