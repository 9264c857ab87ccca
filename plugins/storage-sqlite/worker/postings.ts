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
  const inScopes =
    scopes === undefined
      ? ""
      : `scope : (${scopes.map((scope) => `"${scopeWord(scope)}"`).join(" OR ")}) AND `;
  const list = statements
    .get(`SELECT rowid FROM ${table.words} WHERE ${table.words} MATCH ? ORDER BY rowid DESC LIMIT ?`)
    .pluck();
  const found = new Map<string, Postings & { readonly weights: Map<number, number> }>();
  let left = budget;
  for (const { word, match, weight, count } of placesOf(statements, table, words)) {
    const isWorth = left > 0 && (scopes !== undefined || count <= left || left === budget);
    const rows = isWorth ? (list.all(inScopes + match, left) as number[]) : [];
    const isWhole = isWorth && rows.length < left;
    left -= rows.length;
    const known = found.get(word);
    const weights = known?.weights ?? new Map<number, number>();
    for (const row of rows) weights.set(row, (weights.get(row) ?? 0) + weight);
    const seen = scopes !== undefined && isWorth ? rows.length : count;
    found.set(word, {
      word,
      count: known?.count ?? seen,
      weights,
      complete: isWhole && (known?.complete ?? true),
    });
  }
  return words.map(
    (word) => found.get(word) ?? { word, count: 0, weights: new Map<number, number>(), complete: true },
  );
}

/** Rarest first; without those where nothing is. */
function placesOf(statements: Statements, table: SearchTable, words: readonly string[]): readonly Place[] {
  const places = words.flatMap((word) =>
    table.weights.map((weight, field): Place => {
      const match = `f${field} : "${word}"`;
      return {
        word,
        match,
        weight,
        count: countUpTo(statements, table, {
          where: `${table.words} MATCH ?`,
          from: table.words,
          values: [match],
        }),
      };
    }),
  );
  return places.filter(({ count }) => count > 0).toSorted((a, b) => a.count - b.count);
}
