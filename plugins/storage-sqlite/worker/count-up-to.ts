import type { SearchTable } from "./search-table.ts";
import type { Statements } from "./statements.ts";

/** How many postings or documents a query may walk through, about 0.5 µs each. */
export const budget = 12_000;

/** From this count on it is worth remembering. */
const remembered = 1000;

/** How many rows of a table fulfil a condition, up to one more than the budget. */
export function countUpTo(
  statements: Statements,
  { counts }: SearchTable,
  {
    from,
    where,
    values,
  }: { readonly from: string; readonly where: string; readonly values: readonly string[] },
): number {
  const key = values.join("\n");
  const known = counts.get(key);
  if (known !== undefined) return known;
  const statement = statements
    .get(`SELECT count(*) FROM (SELECT 1 FROM ${from} WHERE ${where} LIMIT ${budget + 1})`)
    .pluck();
  const count = statement.get(...values) as number;
  if (count >= remembered) counts.set(key, count);
  return count;
}
