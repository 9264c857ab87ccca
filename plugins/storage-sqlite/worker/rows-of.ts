import type { Database } from "better-sqlite3";

/** Every row of `SELECT <columns> FROM <table>` that meets the condition, read a page at a time. */
export function* rowsOf<T extends { readonly row: number }>(
  database: Database,
  { columns, table, where = "TRUE" }: Readonly<Record<"columns" | "table", string>> & { where?: string },
): Generator<T> {
  const next = database.prepare<[number], T>(
    `SELECT row, ${columns} FROM ${table} WHERE row > ? AND ${where} ORDER BY row LIMIT 1000`,
  );
  for (let page = next.all(0); page.length > 0; page = next.all(page.at(-1)?.row ?? 0)) yield* page;
}
