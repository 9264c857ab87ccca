import { budget, countUpTo } from "./count-up-to.ts";
import { scopeWord, type SearchTable } from "./search-table.ts";
import type { Statements } from "./statements.ts";

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

interface Place {
  readonly word: string;
  /** The word in quotes, so that it is a word and no operator, in one field. */
  readonly match: string;
  readonly weight: number;
  /** Documents with the word in this field, in all scopes. */
  readonly count: number;
}

interface Collected extends Omit<Postings, "word"> {
  readonly weights: Map<number, number>;
}

/**
 * Where some words are, in some scopes or in all: from the rarest up, as long as the budget lasts, and of
 * each the newest documents first. Words that are nowhere count none. Very common words hardly tell documents
 * apart, but would make a query walk through the whole index.
 */
export function collectPostings(
  statements: Statements,
  table: SearchTable,
  words: readonly string[],
  scopes?: readonly string[],
): readonly Postings[] {
  const list = statements
    .get(`SELECT rowid FROM ${table.words} WHERE ${table.words} MATCH ? ORDER BY rowid DESC LIMIT ?`)
    .pluck();
  const inScopes = scopeCondition(scopes);
  const collected = new Map<string, Collected>();
  let left = budget;
  for (const { word, match, weight, count } of placesOf(statements, table, words)) {
    const isWorth = left > 0 && (scopes !== undefined || count <= left || left === budget);
    const rows = isWorth ? (list.all(inScopes + match, left) as number[]) : [];
    const isWhole = isWorth && rows.length < left;
    left -= rows.length;
    const first = isWorth && scopes !== undefined ? rows.length : count;
    const known = collected.get(word) ?? noPostings(first);
    addWeight(known.weights, rows, weight);
    collected.set(word, { ...known, complete: isWhole && known.complete });
  }
  return words.map((word) => ({ word, ...(collected.get(word) ?? noPostings(0)) }));
}

const noPostings = (count: number): Collected => ({ count, weights: new Map(), complete: true });

function addWeight(weights: Map<number, number>, rows: readonly number[], weight: number): void {
  for (const row of rows) weights.set(row, (weights.get(row) ?? 0) + weight);
}

/** The beginning of a match that restricts it to some scopes. */
function scopeCondition(scopes?: readonly string[]): string {
  if (scopes === undefined) return "";
  const words = scopes.map((scope) => `"${scopeWord(scope)}"`);
  return `scope : (${words.join(" OR ")}) AND `;
}

/** Rarest first; without those where nothing is. */
function placesOf(statements: Statements, table: SearchTable, words: readonly string[]): readonly Place[] {
  const [from, where] = [table.words, `${table.words} MATCH ?`];
  const places = words.flatMap((word) =>
    table.weights.map((weight, field): Place => {
      const match = `f${field} : "${word}"`;
      const count = countUpTo(statements, table, { from, where, values: [match] });
      return { word, match, weight, count };
    }),
  );
  return places.filter(({ count }) => count > 0).toSorted((a, b) => a.count - b.count);
}
