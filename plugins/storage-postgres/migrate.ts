import type pg from "pg";
import { PluginError } from "@pergola/sdk";
import { formats, type FormatStep } from "./formats.ts";
import { lockSql } from "./locks.ts";
import { prepareEmbeddings } from "./pgvector.ts";

type Client = Pick<pg.ClientBase, "query">;

/** What a schema holds of another program, or of a later version, is left as it is. */
const refuse = (reason: string, remedy: string): PluginError =>
  new PluginError("storage-postgres", "open", reason, { remedy });

interface Format {
  /** Steps that were expanded. */
  readonly number: number;
  /** Steps that were contracted: a host has to know as many formats. */
  readonly contracted: number;
}

/**
 * Brings a database to the newest format and gives the host a number and its lock, in one transaction that
 * no other host is in at the same time. Hosts that are open work on: steps only add, until all know the
 * newest format.
 * Throws PluginError for a database that this host must not use, which is then left as it was.
 */
export async function migrate(
  client: Client,
  { schema, instance, steps = formats, note }: MigrateOptions,
): Promise<number> {
  await client.query("BEGIN ISOLATION LEVEL READ COMMITTED");
  try {
    await client.query(`SELECT ${lockSql(schema, "format", "pg_advisory_xact_lock")}`);
    const format = await formatOf(client, schema);
    if (format.contracted > steps.length)
      throw refuse(
        `the schema ${schema} was changed by a later Pergola (format ${format.contracted}; this one knows ` +
          `formats up to ${steps.length})`,
        "Start that version again, or restore a backup of the database.",
      );
    for (const { expand } of steps.slice(format.number)) await client.query(expand);
    const number = Math.max(format.number, steps.length);
    await client.query("UPDATE format SET number = $1, generation = generation + 1 WHERE number < $1", [
      number,
    ]);
    const refusal = await prepareEmbeddings(client);
    if (refusal !== undefined) note?.(`the database has pgvector, but it cannot be used: ${refusal}`);
    const host = await addHost(client, instance, steps.length);
    // Before anybody else can look whether it is free; it outlives the transaction.
    await client.query(`SELECT ${lockSql(schema, "hosts", "pg_advisory_lock", host)}`);
    await removeEndedHosts(client, schema, host);
    await contract(client, steps, format.contracted);
    await client.query("COMMIT");
    return host;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

export interface MigrateOptions {
  readonly schema: string;
  /** The id of the host's storage. */
  readonly instance: string;
  readonly steps?: readonly FormatStep[];
  /** Is told what an administrator could improve. */
  readonly note?: (message: string) => void;
}

async function formatOf(client: Client, schema: string): Promise<Format> {
  const { rows } = await client.query<{
    readonly schema: boolean;
    readonly format: boolean;
    readonly any: boolean;
  }>(
    `SELECT to_regnamespace($1) IS NOT NULL AS schema, to_regclass($1 || '.format') IS NOT NULL AS format,
      EXISTS (SELECT 1 FROM pg_class WHERE relnamespace = to_regnamespace($1)) AS any`,
    [schema],
  );
  const found = rows[0]!;
  if (!found.schema) await client.query(`CREATE SCHEMA ${schema}`);
  if (found.any && !found.format)
    throw refuse(
      `the schema ${schema} holds tables of another program`,
      "Name another one under storage.schema.",
    );
  if (!found.format)
    await client.query(`
      CREATE TABLE format (number integer NOT NULL, contracted integer NOT NULL, generation bigint NOT NULL);
      INSERT INTO format VALUES (0, 0, 0)`);
  const { rows: formatRows } = await client.query<Format>("SELECT number, contracted FROM format");
  return formatRows[0]!;
}

async function addHost(client: Client, instance: string, format: number): Promise<number> {
  const { rows } = await client.query<{ readonly number: number }>(
    "INSERT INTO hosts (instance, format) VALUES ($1, $2) RETURNING number",
    [instance, format],
  );
  return rows[0]!.number;
}

/** A host whose lock is free has ended. */
async function removeEndedHosts(client: Client, schema: string, own: number): Promise<void> {
  const isFree = lockSql(schema, "hosts", "pg_try_advisory_xact_lock", "number");
  await client.query(`DELETE FROM hosts WHERE number <> $1 AND ${isFree}`, [own]);
}

/** Takes away what no host that is open needs any more. */
async function contract(client: Client, steps: readonly FormatStep[], contracted: number): Promise<void> {
  const { rows } = await client.query<{ readonly oldest: number }>("SELECT min(format) AS oldest FROM hosts");
  const { oldest } = rows[0]!;
  if (oldest <= contracted) return;
  for (const step of steps.slice(contracted, oldest))
    if (step.contract !== undefined) await client.query(step.contract);
  await client.query("UPDATE format SET contracted = $1", [oldest]);
}
