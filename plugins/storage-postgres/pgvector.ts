import type pg from "pg";

/** PostgreSQL's code where a lock was not had in time. */
const lockNotAvailable = "55P03";

/** Dimensions that a column of pgvector's type takes at most. */
const mostDimensions = 16_000;

/** SQL of the schema of pgvector, quoted; NULL where the database does not have it. */
export const vectorsSql = `(SELECT quote_ident(nspname) FROM pg_extension
  JOIN pg_namespace ON pg_namespace.oid = extnamespace WHERE extname = 'vector')`;

/**
 * A column in which the database compares vectors itself. `vector` beside it stays the truth: of what a host
 * writes that knows no such column, and of vectors with too many dimensions, the column holds nothing.
 */
export const addEmbeddingSql = (table: string, vectors: string): string => `
  ALTER TABLE ${table} ADD COLUMN embedding ${vectors}.vector;
  ALTER TABLE ${table} ALTER COLUMN embedding SET STORAGE MAIN;`;

interface Installed {
  readonly available: boolean;
  readonly vectors: string | null;
}

/**
 * Makes pgvector's extension where the server has it and the user may, and gives every search its column. In
 * a transaction, which a refusal leaves as it was. Resolves to why the server's pgvector is not used.
 */
export async function prepareEmbeddings(client: Pick<pg.ClientBase, "query">): Promise<string | undefined> {
  const look = async (): Promise<Installed> => {
    const { rows } = await client.query<Installed>(
      `SELECT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'vector') AS available,
        ${vectorsSql} AS vectors`,
    );
    return rows[0]!;
  };
  const before = await look();
  if (!before.available && before.vectors === null) return undefined;
  let refusal: unknown;
  if (before.vectors === null) {
    await client.query("SAVEPOINT extension");
    // In no schema of Pergola's: others use it, and it must not go with a schema.
    await client.query("CREATE EXTENSION vector SCHEMA public").catch(async (error: unknown) => {
      refusal = error;
      await client.query("ROLLBACK TO SAVEPOINT extension");
    });
  }
  const { vectors } = before.vectors === null ? await look() : before;
  if (vectors === null) return refusal instanceof Error ? refusal.message : String(refusal);
  const { rows: tables } = await client.query<{ readonly name: string }>(
    `SELECT 'search_' || number AS name FROM searches WHERE NOT EXISTS (SELECT FROM pg_attribute
      WHERE attrelid = to_regclass('search_' || number) AND attname = 'embedding') ORDER BY number`,
  );
  let added = 0;
  for (const { name } of tables) added += (await addColumn(client, name, vectors)) ? 1 : 0;
  if (added > 0) await client.query("UPDATE format SET generation = generation + 1");
  return added === tables.length
    ? undefined
    : "the tables of vectors were in use; the next start tries again";
}

/** Nobody waits for it: while a backup reads the table, all searches would stand behind its lock. */
async function addColumn(
  client: Pick<pg.ClientBase, "query">,
  table: string,
  vectors: string,
): Promise<boolean> {
  await client.query("SAVEPOINT embedding; SET LOCAL lock_timeout = '1s'");
  try {
    await client.query(addEmbeddingSql(table, vectors));
    await client.query("SET LOCAL lock_timeout = DEFAULT");
    return true;
  } catch (error) {
    await client.query("ROLLBACK TO SAVEPOINT embedding");
    if ((error as { readonly code?: string }).code === lockNotAvailable) return false;
    throw error;
  }
}

/** A vector as pgvector reads it; null where it takes none. */
export const embeddingText = (vector: Float32Array): string | null =>
  vector.length <= mostDimensions && vector.every(Number.isFinite) ? `[${vector.join(",")}]` : null;
