import { plain } from "../language/plain.ts";
import { type Talk, talkPatterns } from "./talk-patterns.ts";

const greetings =
  "please|pls|thanks|thank you|thx|cheers|hi|hey|hello|hello there|hi there|good (?:morning|afternoon|evening)|ok|okay|great|perfect";
const courtesy = new RegExp(
  `^(?:${greetings})(?: (?:so much|a lot|very much|guide|pergola|in advance|for your help))*$`,
);

/** Lower case, single blanks, no punctuation at the ends. */
export const normalised = (text: string): string =>
  plain(text)
    .toLowerCase()
    .replaceAll(/\s+/g, " ")
    .replace(/^[\s.,!]+|[\s.,!?;:)(]+$/g, "")
    .trim();

const greeting =
  /^(?:hi|hello|hey|good (?:morning|afternoon|evening))(?: there| guide| pergola)?[,.!]? (?=\w)/;
const kindOf = (text: string): Talk | undefined =>
  talkPatterns.find(([, pattern]) => pattern.test(text))?.[0];

/** The kind of small talk a message is, a greeting before it left aside; undefined when it is none. */
export function talkIn(message: string): Talk | undefined {
  const text = normalised(message);
  return kindOf(text) ?? kindOf(text.replace(greeting, ""));
}

/** A sentence that is only a greeting or thanks. */
export const isCourtesy = (sentence: string): boolean => courtesy.test(normalised(sentence));
