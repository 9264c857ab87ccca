import type { Database } from "./database.ts";

/** No host's: a mark that stands in the place of a commit must not be taken for it. */
const nobody = "00000000-0000-0000-0000-000000000000";

/**
 * Finds out whether a transaction was committed whose connection ended meanwhile. Its row in `changes` tells:
 * to write one of the same number waits for a transaction that still goes on, fails where it was committed,
 * and makes sure that it never will be where it was not. Rejects where the database cannot be asked.
 */
export async function settleCommit(database: Database, number: string, instance: string): Promise<boolean> {
  const client = await database.connect();
  try {
    const { rowCount } = await client.query(
      "INSERT INTO changes (number, host, list) OVERRIDING SYSTEM VALUE VALUES ($1, $2, '[]') " +
        "ON CONFLICT (number) DO NOTHING",
      [number, nobody],
    );
    if (rowCount === 1) return false;
    const { rows } = await client.query("SELECT 1 FROM changes WHERE number = $1 AND host = $2", [
      number,
      instance,
    ]);
    return rows.length === 1;
  } finally {
    client.release();
  }
}
