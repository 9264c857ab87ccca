import { anyOf } from "../language/any-of.ts";
import { keyOf } from "../language/concepts.ts";
import { plain } from "../language/plain.ts";
import { asSentence, flipped } from "../language/pronouns.ts";
import { sentencesOf } from "../language/sentences.ts";
import { stopWords } from "../language/stop-words.ts";
import { words } from "../language/words.ts";
import { readOrder, soundsLikeOrder } from "../phrase/order.ts";
import { readPhrase } from "../phrase/phrase.ts";
import { normalised } from "./small-talk.ts";

const opening = anyOf(
  "i",
  /^(?:(?:please )?(?:remember|note|keep in mind)(?: that|:)?\s+)+/,
  /^(?:(?:fyi|by the way|just so you know|well|no|sorry|actually|and|also),?\s+)+/,
);
const told = anyOf(
  "",
  /^(?:[Mm]y|I|i|[Ii]'m|[Ii]'ve|[Ww]e|[Ww]e're|[Oo]ur|[Ii]t's|[Ii]t|[Tt]his is|[Tt]here (?:is|are)|today|tomorrow)\b/,
  /^(?:that|[a-z]+ (?:is|are) (?:an?|not|so|very|too))\b/,
  /^[a-z]+ (?:is|are|was|were) [a-z]+[.!]?$/,
  /^(?:the|a|an|his|her|their|he|she|they|in|on|at|[A-Z][a-z]+)\b/,
);
const wanting = anyOf(
  "i",
  /^(?:i|we)(?:'d| would)? (?:need|want|like to|(?:can't|cannot)(?! remember)|have to|must|lost|wish|wonder)\b/,
  /^i(?:'m| am) (?:looking|searching|trying)\b/,
);
const claims = anyOf(
  "i",
  /\b(?:is|are|am|was|were|'s|'m|'re|has|have|had|means|costs|begins|starts|ends|called|named)\b/,
  /\b(?:live|lives|like|likes|love|loves|prefer|use|uses|work|works|hate|born|own|play|remember|forgot|thought|drew|read|saw|met|ran|went|wrote|told|already|speak|study|moved|bought|finished|got)\b/,
);
const asks = anyOf(
  "i",
  /^(?:what|who|whom|whose|where|when|which|how|is|are|am|was|does|do)\b/,
  /^(?:do you (?:know|remember|recall)|did i|can you (?:tell|remind)|tell me|remind me)\b/,
);
/** Words that say nothing about a tool, but much about a person. */
const telling = words("like want need");
const askWords = words(
  "what who whom whose where when which how know remember recall remind tell again say said told call called",
);

/** True for a sentence that tells something and asks for nothing. */
export function isStatement(sentence: string): boolean {
  if (sentence.length > 400) return false;
  const text = plain(sentence).trim().replace(opening, "");
  if (/\?\s*$/.test(text) || asks.test(text) || wanting.test(text)) return false;
  if (!told.test(text) || !claims.test(text)) return false;
  const phrase = readPhrase(text);
  return (
    !soundsLikeOrder(readOrder(phrase)) &&
    !phrase.marks.some(({ kind }) => ["path", "glob", "id", "url", "regex", "here"].includes(kind))
  );
}

const matterKeys = (text: string): readonly string[] =>
  [
    ...plain(text)
      .toLowerCase()
      .matchAll(/[\p{L}\p{N}][\p{L}\p{N}'-]*/gu),
  ]
    .map(([word]) => word.replace(/'s$/, ""))
    .filter((word) => telling.has(word) || (!stopWords.has(word) && !askWords.has(word)))
    .map(keyOf);

const introduction = /^(?:i'm|i am|call me|this is)\s+\p{Lu}[\p{L}'-]*[.!]?$/u;
const keysOfStatement = (statement: string): ReadonlySet<string> =>
  new Set([
    ...matterKeys(statement),
    ...(introduction.test(statement) || /^(?:I'm|I am|Call me) \p{Lu}/u.test(statement)
      ? [keyOf("name")]
      : []),
  ]);

const nameQuestion = /^(?:who am i|what am i called|do you know who i am)$/;
const soughtKeys = (question: string): ReadonlySet<string> =>
  new Set(nameQuestion.test(normalised(question)) ? [keyOf("name")] : matterKeys(question));

/** True for a question that a statement could answer. */
export const isFactQuestion = (message: string): boolean =>
  asks.test(plain(message).trim()) || /\?\s*$/.test(message);

/**
 * The statement that answers the question best, the latest of equals; undefined when none holds most of what
 * is asked.
 */
export function bestStatement(question: string, statements: readonly string[]): string | undefined {
  const sought = soughtKeys(question);
  if (sought.size === 0) return undefined;
  let best: { readonly statement: string; readonly share: number } | undefined;
  for (const statement of statements) {
    const keys = keysOfStatement(statement);
    const share = [...sought].filter((key) => keys.has(key)).length / sought.size;
    if (share >= 0.6 && keys.size > 0 && share >= (best?.share ?? 0)) best = { statement, share };
  }
  return best?.statement;
}

/** What the person stated in these messages, in order. */
export const statementsIn = (messages: readonly string[]): readonly string[] =>
  messages
    .flatMap((message) => sentencesOf(message).filter(isStatement))
    .map((sentence) => plain(sentence).trim().replace(opening, ""));

/** The answer in the guide's own words: the statement turned round. */
export const retold = (statement: string): string => asSentence(flipped(statement));
