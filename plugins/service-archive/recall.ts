import type { HistoryChunk, HistoryQuery } from "@pergola/sdk";
import type { ArchiveRecord } from "@pergola/sdk/host";

/** Words of questions that say nothing of what is looked for. */
const idle = new Set(
  (
    "about and any are did does for from had has have how our said say tell that the their them then " +
    "there this was were what when where which who why with you your"
  ).split(" "),
);

const wordsOf = (text: string): readonly string[] =>
  [...new Set([...text.toLowerCase().matchAll(/[\p{L}\p{N}]{2,}/gu)].map(([word]) => word))].filter(
    (word) => !idle.has(word),
  );

/** Word beginnings, so that `port` also finds `ports`: of at least four letters, or the whole word. */
const holds = (words: readonly string[], wanted: string): boolean =>
  words.some(
    (word) =>
      word === wanted ||
      (wanted.length >= 4 && word.startsWith(wanted)) ||
      (word.length >= 4 && wanted.startsWith(word)),
  );

/** What a hit of a word in the summary and among the topics weighs. */
const [inSummary, inTopics] = [3, 2];

/** 0 to 1: the share of the words that the record has, the summary counting more than the topics. */
function scoreOf({ summary, keyTopics }: ArchiveRecord, wanted: readonly string[]): number {
  const [words, topics] = [wordsOf(summary), keyTopics.flatMap((topic) => wordsOf(topic))];
  const weightOf = (word: string): number => {
    if (holds(words, word)) return inSummary;
    return holds(topics, word) ? inTopics : 0;
  };
  return wanted.reduce((sum, word) => sum + weightOf(word), 0) / (inSummary * wanted.length);
}

function line(text: string): string {
  const short = text.length <= 160 ? text : `${text.slice(0, 160).replace(/\s+\S*$/, "")}…`;
  return short.replaceAll(/\s+/g, " ");
}

const chunkOf = (
  { id, conversationId, from, to, summary, keyTopics }: ArchiveRecord,
  score: number,
): HistoryChunk => ({
  id,
  conversationId,
  from,
  to,
  summary: line(summary),
  keyTopics,
  content: summary,
  score,
});

/** The records that have at least half of the question's words, best first; time decides between equals. */
export function recall(
  records: readonly ArchiveRecord[],
  { query, limit = 3, timeHint }: HistoryQuery,
): readonly HistoryChunk[] {
  const wanted = wordsOf(query);
  if (wanted.length === 0) return [];
  const sign = timeHint === "early" ? 1 : -1;
  return records
    .map((record) => chunkOf(record, scoreOf(record, wanted)))
    .filter(({ score }) => score >= 0.5)
    .toSorted((a, b) => b.score - a.score || sign * (Date.parse(a.from) - Date.parse(b.from)))
    .slice(0, limit);
}
