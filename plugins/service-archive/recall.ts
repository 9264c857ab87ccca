import type { HistoryChunk, HistoryQuery } from "@pergola/sdk";
import { keyTopics, type ArchiveRecord } from "@pergola/sdk/host";

/** Words of questions that say nothing of what is looked for. */
const stopWords = new Set(
  (
    "about and any are did does for from had has have how our said say tell that the their them then " +
    "there this was were what when where which who why with you your"
  ).split(" "),
);

const mostTopics = 8;

function wordsOf(text: string): readonly string[] {
  const words = new Set(text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu));
  return [...words].filter((word) => !stopWords.has(word));
}

/** Words of four letters or more that tell what a text is about. */
export function topicsOf(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_-]{4,40}/gu) ?? [];
  return keyTopics(
    words.filter((word) => /\p{L}/u.test(word)),
    mostTopics,
  );
}

/** Word beginnings, so that `port` also finds `ports`: of at least four letters, or the whole word. */
const includes = (words: readonly string[], term: string): boolean =>
  words.some(
    (word) =>
      word === term ||
      (term.length >= 4 && word.startsWith(term)) ||
      (word.length >= 4 && term.startsWith(word)),
  );

/** What a hit of a word in the summary and among the topics weighs. */
const inSummary = 3;
const inTopics = 2;

/** 0 to 1: the share of the words that the record has, the summary counting more than the topics. */
function scoreOf({ summary, keyTopics }: ArchiveRecord, terms: readonly string[]): number {
  const words = wordsOf(summary);
  const topics = keyTopics.flatMap(wordsOf);
  const weightOf = (word: string): number => {
    if (includes(words, word)) return inSummary;
    if (includes(topics, word)) return inTopics;
    return 0;
  };
  return terms.reduce((sum, word) => sum + weightOf(word), 0) / (inSummary * terms.length);
}

function line(text: string): string {
  const flat = text.replaceAll(/\s+/g, " ");
  if (flat.length <= 160) return flat;
  return `${flat.slice(0, 160).replace(/ \S*$/, "")}…`;
}

/** The records that have at least half of the question's words, best first; time decides between equals. */
export function recall(
  records: readonly ArchiveRecord[],
  { query, limit = 3, timeHint }: HistoryQuery,
): readonly HistoryChunk[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const byTime = records.toSorted((a, b) => Date.parse(b.from) - Date.parse(a.from));
  if (timeHint === "early") byTime.reverse();
  return byTime
    .map((record) => ({ record, score: scoreOf(record, words) }))
    .filter(({ score }) => score >= 0.5)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ record: { id, conversationId, from, to, summary, keyTopics: topics }, score }) => ({
      id,
      conversationId,
      from,
      to,
      summary: line(summary),
      keyTopics: topics,
      content: summary,
      score,
    }));
}
