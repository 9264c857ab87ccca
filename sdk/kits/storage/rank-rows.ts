/** The documents that hold a word. */
export interface Postings {
  readonly word: string;
  /** How many hold it in the field where fewest do. */
  readonly count: number;
  /** By row, the weights of the fields that hold it, as far as they were read. */
  readonly weights: ReadonlyMap<number, number>;
  /** No document that holds it was left out. */
  readonly complete: boolean;
}

/**
 * How soon further occurrences of a word stop counting, and how much the length of a document counts: `k1`
 * and `b` of bm25.
 */
const saturation = 1.2;
const lengthShare = 0.3;

/**
 * How much a word tells, by the documents that hold it: the less, the more these are (Robertson and Spärck
 * Jones, 1976, kept positive).
 */
function rarity({ count: estimate, weights, complete }: Postings, size: number): number {
  let count = estimate;
  if (complete) count = weights.size;
  return Math.log(1 + (Math.max(size, count) - count + 0.5) / (count + 0.5));
}

/**
 * How much a word tells of a document, by its occurrences, each weighed by its field; `length` is a share of
 * the mean one.
 */
const share = (occurrences: number, length = 1): number =>
  occurrences / (occurrences + saturation * (1 - lengthShare + lengthShare * length));

/** A document that holds words of a query. */
export interface Document {
  readonly row: number;
  readonly id: string;
  /** The fields of the search, as JSON. */
  readonly texts: string;
}

/**
 * Rows of the best documents that hold words, best first, of equal ones the newest: by which words they hold
 * in which fields.
 */
export function rankRows(postings: readonly Postings[], size: number, limit: number): readonly number[] {
  const scores = new Map<number, number>();
  for (const one of postings) {
    const rare = rarity(one, size);
    for (const [row, weight] of one.weights) {
      const score = scores.get(row) ?? 0;
      scores.set(row, score + rare * share(weight));
    }
  }
  const least = Float64Array.from(scores.values()).sort().at(-limit) ?? 0;
  const best = [...scores]
    .filter(([, score]) => score >= least)
    .toSorted(([rowA, a], [rowB, b]) => b - a || rowB - rowA);
  return best.slice(0, limit).map(([row]) => row);
}

/**
 * The same documents after a look at their texts, which tells how often a word is in them: bm25 over weighted
 * fields (Robertson and Zaragoza, 2009), as a share of what a text of mean length counts that holds all words
 * once. Occurrences in other forms than the query's count once.
 */
export function rankDocuments<D extends Document>(
  documents: readonly D[],
  postings: readonly Postings[],
  size: number,
  weights: Readonly<Record<string, number>>,
): readonly (readonly [D, score: number])[] {
  const mean = documents.reduce((sum, { texts }) => sum + texts.length, 0) / documents.length;
  const all = postings.reduce((sum, one) => sum + rarity(one, size) * share(1), 0);
  const scoreOf = ({ row, texts }: D): number => {
    const byField = Object.entries(JSON.parse(texts) as Record<string, string>);
    const fields = byField.map(([field, text]) => ({ text: plain(text), weight: weights[field] ?? 0 }));
    let score = 0;
    for (const one of postings) {
      const known = one.weights.get(row);
      if (one.complete && known === undefined) continue;
      const spaced = ` ${one.word} `;
      const counted = fields.reduce((sum, { text, weight }) => sum + weight * occurrences(text, spaced), 0);
      score += rarity(one, size) * share(Math.max(counted, known ?? 0), texts.length / mean);
    }
    return score / all;
  };
  return documents
    .map((document) => [document, scoreOf(document)] as const)
    .toSorted(([a, scoreA], [b, scoreB]) => scoreB - scoreA || b.row - a.row);
}

const plain = (text: string): string => ` ${text.toLowerCase()} `;

/** How often a word between spaces is in a text. */
function occurrences(text: string, spaced: string): number {
  let count = 0;
  let at = text.indexOf(spaced);
  while (at >= 0) {
    count++;
    at = text.indexOf(spaced, at + spaced.length - 1);
  }
  return count;
}
