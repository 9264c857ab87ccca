import type { Mark } from "../marks/mark.ts";
import type { Phrase } from "../phrase/phrase.ts";
import { type Piece, piecesIn } from "../phrase/pieces.ts";
import { knownKeys, type Route } from "../router/catalogue.ts";
import type { Draft } from "./draft.ts";
import type { Frame } from "./frame.ts";
import { type FrameMatch, matchFrame } from "./match-frame.ts";
import type { NamedSpan } from "./number-frames.ts";

/**
 * An example's pattern counts when half of its words are there, or its values can hardly be anything else.
 */
const leastLikeness = 0.5;

const foreignTo = (route: Route, { strange }: FrameMatch): number => {
  const known = knownKeys(route);
  return strange.filter((key) => !known.has(key)).length;
};

/** What a pattern has a gap for is not left aside. */
const asideOf = ({ parts }: Frame, taken: readonly NamedSpan[]): readonly NamedSpan[] =>
  taken.filter(({ name }) => !parts.some((part) => typeof part !== "string" && part.path[0] === name));

/**
 * The example that the phrase follows most closely, what is `taken` left aside; undefined when it follows
 * none.
 */
export function bestFrame(
  phrase: Phrase,
  route: Route,
  taken: readonly NamedSpan[] = [],
): FrameMatch | undefined {
  const matches = route.frames
    .flatMap((frame) => matchFrame(frame, phrase, asideOf(frame, taken)) ?? [])
    .filter(({ likeness }) => likeness >= leastLikeness);
  const worth = (match: FrameMatch): number =>
    match.likeness +
    0.2 * match.spans.length +
    0.2 * match.typed -
    0.3 * foreignTo(route, match) -
    0.1 * match.strange.length +
    0.03 * match.telling -
    0.15 * match.swapped;
  return matches.toSorted((a, b) => worth(b) - worth(a))[0];
}

/**
 * True when every word of the phrase is a value or a word of the example, and every word of the example is
 * there.
 */
export const isExact = (frame: FrameMatch | undefined): boolean =>
  frame?.likeness === 1 &&
  frame.strange.length === 0 &&
  (frame.telling > 1 || frame.typed > 0 || frame.lead > 1);

/** It stands for something that was not said here. */
const refersBack = /^(?:it|this|that|them|these|those|him|her)\b/i;

/** Marks by their looks alone: where a phrase has no other words than the example, they are among these. */
const spoken: ReadonlySet<string> = new Set(["symbol", "name", "extension", "flag"]);

/** Takes the values over. Where words of the phrase are left, they are a guess. */
export function giveFrame(draft: Draft, phrase: Phrase, route: Route, frame: FrameMatch): void {
  for (const [name, value] of Object.entries(frame.arguments)) {
    if (name in draft.values) continue;
    draft.values[name] = value;
    const isBare =
      typeof value === "string" && !phrase.marks.some((mark) => mark.value === value && mark.loose !== true);
    if (route.careful && (!isExact(frame) || (isBare && (route.grave || refersBack.test(value)))))
      draft.loose.push(name);
  }
  const isSaid = (mark: Mark): boolean => isExact(frame) && spoken.has(mark.kind);
  draft.taken.push(
    ...phrase.marks.filter(
      (mark) => isSaid(mark) || frame.spans.some(({ start, end }) => mark.start >= start && mark.end <= end),
    ),
  );
}

/**
 * Names with a capital after the word that leads to them in an example, for slots that no whole example
 * filled.
 */
export function givePropers(draft: Draft, phrase: Phrase, { frames, careful }: Route): void {
  if (careful) return;
  const pieces = piecesIn(phrase);
  for (const { parts } of frames) {
    for (const [index, part] of parts.entries()) {
      const anchor = parts[index - 1];
      if (
        typeof part === "string" ||
        part.kind !== "proper" ||
        part.path.length > 1 ||
        String(part.path[0]) in draft.values
      )
        continue;
      const name = pieces
        .flatMap(({ key }, at) => (key === anchor ? [nameAt(pieces.slice(at + 1), phrase)] : []))
        .find((each) => each !== "");
      if (name !== undefined) draft.values[String(part.path[0])] = name;
    }
  }
}

/** The words with a capital that a phrase goes on with; "" when there are none. */
function nameAt(pieces: readonly Piece[], { text }: Phrase): string {
  const end = pieces.findIndex(({ text: word }) => !/^\p{Lu}/u.test(word));
  const name = end < 0 ? pieces : pieces.slice(0, end);
  return text.slice(name[0]?.start ?? 0, name.at(-1)?.end ?? 0);
}
