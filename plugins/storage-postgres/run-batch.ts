import type pg from "pg";
import type { Catalog } from "./catalog.ts";
import type { Database } from "./database.ts";
import { kindOf } from "./failure-of.ts";
import { lockSql } from "./locks.ts";
import { BatchFailure, Transaction } from "./transaction.ts";
import type { BatchResult, Outcome, Work } from "./transaction.ts";

/** What a transaction needs to know of its host. */
export interface BatchHost {
  readonly database: Database;
  readonly catalog: Catalog;
  readonly schema: string;
  /** The id of the host's storage. */
  readonly instance: string;
}

/**
 * Carries out requests to write in one transaction. Where it is several, each has a savepoint of its own, so
 * that one that fails takes no other with it. Nothing may be answered before this has resolved. Rejects with
 * BatchFailure, which knows whether the transaction may have been committed all the same.
 */
export async function runBatch(works: readonly Work[], host: BatchHost): Promise<BatchResult> {
  const client = await connect(host);
  let failure: BatchFailure | undefined;
  try {
    return await transact(client, works, host);
  } catch (error) {
    failure = error instanceof BatchFailure ? error : new BatchFailure(error);
    // What a transaction that came to nothing had declared is not there.
    host.catalog.forget();
    throw failure;
  } finally {
    await letGo(client, failure);
  }
}

async function connect({ database }: BatchHost): Promise<pg.PoolClient> {
  try {
    return await database.connect();
  } catch (error) {
    throw new BatchFailure(error);
  }
}

/** A connection that cannot take its transaction back is of no use any more. */
async function letGo(client: pg.PoolClient, failure: BatchFailure | undefined): Promise<void> {
  if (failure === undefined) return client.release();
  try {
    if (kindOf(failure.cause).isAway === true) throw failure;
    await client.query("ROLLBACK");
    client.release();
  } catch {
    client.release(true);
  }
}

async function transact(
  client: pg.PoolClient,
  works: readonly Work[],
  host: BatchHost,
): Promise<BatchResult> {
  const transaction = new Transaction(client, host.catalog, host.database);
  await begin(transaction, works, host.schema);
  const [lone, ...others] = works;
  const outcomes: Outcome[] = [];
  if (lone !== undefined && others.length === 0) {
    const outcome = await outcomeOfLone(transaction, lone);
    if ("error" in outcome) return { outcomes: [outcome], changes: [] };
    outcomes.push(outcome);
  } else for (const work of works) outcomes.push(await outcomeOf(transaction, work));
  const { changes } = transaction;
  const number = await recordCommit(transaction, host.instance);
  try {
    const { command } = await client.query("COMMIT");
    if (command !== "COMMIT") throw new Error(`COMMIT answered ${command}`);
  } catch (cause) {
    throw new BatchFailure(cause, { number, outcomes, changes });
  }
  return { outcomes, changes };
}

/**
 * While anybody makes tables or columns, nobody writes: whoever writes knows all columns of a table. The last
 * statement sees what was committed before the lock was given.
 */
async function begin(
  { client, catalog }: Transaction,
  works: readonly Work[],
  schema: string,
): Promise<void> {
  const isAlone = works.some((work) => work.isAlone);
  const lock = lockSql(schema, "catalog", isAlone ? "pg_advisory_xact_lock" : "pg_advisory_xact_lock_shared");
  const results = (await client.query(
    `BEGIN ISOLATION LEVEL READ COMMITTED; SELECT ${lock}; SELECT generation FROM format`,
  )) as unknown as readonly pg.QueryResult<{ readonly generation: string }>[];
  const generation = results.at(-1)?.rows[0]?.generation;
  if (generation !== catalog.generation) await catalog.load(client);
}

/** Throws what the whole transaction cannot survive. */
async function outcomeOf(transaction: Transaction, work: Work): Promise<Outcome> {
  const { client, changes } = transaction;
  const before = changes.length;
  const [saved, outcome] = await Promise.all([client.query("SAVEPOINT request"), attempt(transaction, work)]);
  if (saved.command !== "SAVEPOINT") throw new Error(`SAVEPOINT answered ${saved.command}`);
  if ("error" in outcome) {
    if (kindOf(outcome.error).endsBatch === true) throw outcome.error;
    changes.length = before;
    await client.query("ROLLBACK TO request");
  }
  await client.query("RELEASE request");
  return outcome;
}

/** The only request of a transaction needs no savepoint: nothing else is taken back with it. */
async function outcomeOfLone(transaction: Transaction, work: Work): Promise<Outcome> {
  const outcome = await attempt(transaction, work);
  if (!("error" in outcome)) return outcome;
  if (kindOf(outcome.error).endsBatch === true) throw outcome.error;
  await transaction.client.query("ROLLBACK");
  transaction.catalog.forget();
  return outcome;
}

async function attempt(transaction: Transaction, work: Work): Promise<Outcome> {
  try {
    return { answer: await work.run(transaction) };
  } catch (error) {
    return { error };
  }
}

/** Changes of a commit, as other hosts hear of them: [collection, id, whether it was deleted]. */
export type ChangeList = readonly (readonly [collection: string, id: string, deleted: boolean])[];

/** The row by which other hosts hear of the changes, and by which a commit can be told to have happened. */
async function recordCommit({ client, changes }: Transaction, instance: string): Promise<string> {
  const list: ChangeList = changes.map(({ collection, id, deleted }) => [collection, id, deleted]);
  const { rows } = await client.query<{ readonly number: string }>({
    name: "record-commit",
    text: "INSERT INTO changes (host, list) VALUES ($1, $2) RETURNING number",
    values: [instance, JSON.stringify(list)],
  });
  return rows[0]!.number;
}
