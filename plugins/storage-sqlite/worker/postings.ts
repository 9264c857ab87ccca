import type { Postings } from "@pergola/kit-storage";
import { budget, countUpTo } from "./count-up-to.ts";
import { scopeWord, type SearchTable } from "./search-table.ts";
import type { Statements } from "./statements.ts";

interface Place {
  readonly word: string;
  /** The word in quotes, so that it is a word and no operator, in one field. */
  readonly match: string;
  readonly weight: number;
  /** Documents with the word in this field, in all scopes; 0 where nobody needs to know. */
  readonly count: number;
}

/** Scopes that are looked into alone, and how many documents they hold. */
interface Within {
  readonly scopes: readonly string[];
  readonly size: number;
}

interface Collected extends Omit<Postings, "word"> {
  readonly weights: Map<number, number>;
}

/**
 * Where some words are, in some scopes or in all: from the rarest up, as long as the budget lasts, and of
 * each the newest documents first. Words that are nowhere count none. Very common words hardly tell documents
 * apart, but would make a query walk through the whole index. In small scopes the budget lasts for all words.
 */
export function collectPostings(
  statements: Statements,
  table: SearchTable,
  words: readonly string[],
  { scopes, size }: Partial<Within> = {},
): readonly Postings[] {
  const { places, isWhole } = planOf(statements, table, words, size);
  const list = statements.get(listSql(table, isWhole)).pluck();
  const inScopes = scopeCondition(scopes);
  const collected = new Map<string, Collected>();
  let left = budget;
  for (const { word, match, weight, count } of places) {
    const isWorth = left > 0 && (scopes !== undefined || count <= left || left === budget);
    const rows = isWorth ? (list.all(inScopes + match, left) as number[]) : [];
    const isComplete = isWorth && rows.length < left;
    left -= rows.length;
    const first = isWorth && scopes !== undefined ? rows.length : count;
    const known = collected.get(word) ?? noPostings(first);
    addWeight(known.weights, rows, weight);
    collected.set(word, { ...known, complete: isComplete && known.complete });
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

/** The newest rows first, unless all will be read: backwards costs four times as much. */
const listSql = ({ words }: SearchTable, isWhole: boolean): string =>
  `SELECT rowid FROM ${words} WHERE ${words} MATCH ? ${isWhole ? "" : "ORDER BY rowid DESC"} LIMIT ?`;

interface Plan {
  readonly places: readonly Place[];
  /** The budget lasts for all of them. */
  readonly isWhole: boolean;
}

/**
 * The places of words in scopes of a size, or in all: rarest first, without those where nothing is. Nothing
 * is counted where the scopes are so small that the order is all one.
 */
function planOf(
  statements: Statements,
  table: SearchTable,
  words: readonly string[],
  size: number | undefined,
): Plan {
  const all = words.flatMap((word) =>
    table.weights.map((weight, field) => ({ word, match: `f${field} : "${word}"`, weight, count: 0 })),
  );
  if (size !== undefined && size * all.length < budget) return { places: all, isWhole: true };
  const [from, where] = [table.words, `${table.words} MATCH ?`];
  const places = all
    .map((place) => ({
      ...place,
      count: countUpTo(statements, table, { from, where, values: [place.match] }),
    }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => a.count - b.count);
  const most = places.reduce((sum, { count }) => sum + Math.min(count, size ?? count), 0);
  return { places, isWhole: size !== undefined && most < budget };
}
