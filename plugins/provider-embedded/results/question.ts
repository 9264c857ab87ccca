import { asksForChange } from "../language/actions.ts";
import { keyOf } from "../language/concepts.ts";
import { stopWords } from "../language/stop-words.ts";
import { words } from "../language/words.ts";
import { readOrder } from "../phrase/order.ts";
import { longestRequest, readPhrase } from "../phrase/phrase.ts";

/** What a message wants to know of a result. */
export interface Question {
  readonly text: string;
  /** Keys of the words that name the matter, without those that only name the tool. */
  readonly topic: ReadonlySet<string>;
  /** It asks, rather than orders. */
  readonly asks: boolean;
  readonly count: boolean;
  readonly summary: boolean;
  readonly presence: boolean;
  /** It ordered a change; a short report is enough. */
  readonly change: boolean;
}

const general = new Set(
  [
    ...words(
      "read show list search find look get say tell know check summary what where which who when how why whole all much see please",
      "file directory content text line mention rest result code first end details name entry anything something about",
    ),
  ].map(keyOf),
);

const isTopic = (word: string): boolean => !stopWords.has(word) && !general.has(keyOf(word));

/** Reads what is to be known of a result off the message that led to it. */
export function readQuestion(given: string): Question {
  const message = given.slice(0, longestRequest);
  const phrase = readPhrase(message);
  const order = readOrder(phrase);
  const named = phrase.marks
    .filter(({ kind }) => kind === "text" || kind === "symbol")
    .flatMap(({ value }) =>
      String(value)
        .toLowerCase()
        .split(/[^\p{L}\p{N}]+/u),
    );
  const said = phrase.words.filter(({ start }) => start >= order.start).map(({ text }) => text);
  const topic = [...said, ...named].filter((word) => word !== "" && isTopic(word)).map(keyOf);
  return {
    text: message,
    topic: new Set(topic),
    asks:
      order.objections[0] === "question" ||
      /\b(?:tell me|find out|know|according to|says? about)\b/i.test(message),
    count: /\bhow (?:many|often|much)\b|\b(?:count|number of)\b/i.test(message),
    summary: /\bsumm?ar|\b(?:overview|gist)\b|\bwhat\b.*\babout\s*\??$|\bdescribe\b/i.test(message),
    presence: /^(?:is|are|does|do|has|have|can|did|was|were)\b/i.test(phrase.text.slice(order.start)),
    change: order.verb !== undefined && asksForChange(order.verb.text),
  };
}
