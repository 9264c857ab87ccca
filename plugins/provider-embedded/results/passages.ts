import { cosine } from "../embedder/embedder.ts";
import type { VectorCache } from "../embedder/vector-cache.ts";
import { keyOf } from "../language/concepts.ts";
import { sentencesOf } from "../language/sentences.ts";
import { stopWords } from "../language/stop-words.ts";
import type { Question } from "./question.ts";

const mostRead = 2000;
const mostEmbedded = 24;

const keysIn = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)]
      .map(([word]) => word)
      .filter((word) => !stopWords.has(word))
      .map(keyOf),
  );

interface Passage {
  readonly text: string;
  readonly place: number;
  readonly keys: ReadonlySet<string>;
}

/** The sentences of a text; under a heading that stands alone, the next sentence belongs to it. */
function passagesOf(text: string): readonly Passage[] {
  const sentences = sentencesOf(text).slice(0, mostRead);
  return sentences.map((sentence, place) => {
    const next = sentences[place + 1];
    const whole = /^#{1,6}\s/.test(sentence) && next !== undefined ? `${sentence}\n${next}` : sentence;
    return { text: whole, place, keys: keysIn(whole) };
  });
}

/** Passages by the share of the topic's words in them; a word that is rare in the text counts more. */
function byWords({ topic }: Question, passages: readonly Passage[]): readonly Passage[] {
  const weight = (key: string): number =>
    Math.log(1 + passages.length / (1 + passages.filter(({ keys }) => keys.has(key)).length));
  const scored = passages.map((passage) => ({
    passage,
    score: [...topic].filter((key) => passage.keys.has(key)).reduce((sum, key) => sum + weight(key), 0),
  }));
  const best = Math.max(0, ...scored.map(({ score }) => score));
  return best === 0 ? [] : scored.filter(({ score }) => score >= 0.7 * best).map(({ passage }) => passage);
}

async function byMeaning(
  { text }: Question,
  passages: readonly Passage[],
  vectors: VectorCache,
  signal: AbortSignal,
): Promise<readonly Passage[]> {
  const read = passages.filter((passage) => passage.text.length > 12).slice(0, mostEmbedded);
  const [asked, ...found] = await vectors
    .vectorsOf([text, ...read.map((passage) => passage.text)], signal)
    .catch((error: unknown) => {
      if (signal.aborted) throw error;
      return [];
    });
  if (asked === undefined) return [];
  const scored = read.map((passage, index) => ({
    passage,
    score: cosine(found[index] as Float32Array, asked),
  }));
  const best = Math.max(...scored.map(({ score }) => score));
  return best < 0.4 ? [] : scored.filter(({ score }) => score === best).map(({ passage }) => passage);
}

/**
 * The passages of a text that answer a question, in the text's order: by words, by meaning when no word
 * helps. Empty when nothing fits.
 */
export async function findPassages(
  question: Question,
  text: string,
  vectors: VectorCache,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const passages = passagesOf(text);
  const found = byWords(question, passages);
  const chosen = found.length > 0 ? found : await byMeaning(question, passages, vectors, signal);
  return chosen
    .slice(0, 5)
    .toSorted((a, b) => a.place - b.place)
    .map((passage) => passage.text);
}
