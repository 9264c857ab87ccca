import type { Change } from "@pergola/sdk";
import type { ChangeList } from "./run-batch.ts";

interface Commits {
  readonly place: string;
  readonly lists: readonly ChangeList[];
}

/**
 * Commits that can be seen now and could not be at the place before, in the order of their rows: a row has
 * its number before its commit, so numbers alone would leave out those that are committed late.
 */
const commitsSql = `
  SELECT pg_current_snapshot()::text AS place, coalesce((
    SELECT json_agg(list ORDER BY number) FROM changes
    WHERE xid >= pg_snapshot_xmin($1::pg_snapshot) AND NOT pg_visible_in_snapshot(xid, $1::pg_snapshot)
      AND host <> $2), '[]') AS lists`;

/** Sends a statement and resolves to its rows. */
export type Ask = <T extends object>(text: string, values: readonly unknown[]) => Promise<readonly T[]>;

/** Changes that other hosts have made, each once. Its place is a snapshot of the database. */
export class ChangeFeed {
  readonly #instance: string;
  #place: string | undefined;

  constructor(instance: string) {
    this.#instance = instance;
  }

  /** What has changed since the last time; nothing the first time. */
  async next(ask: Ask): Promise<readonly Change[]> {
    if (this.#place === undefined) {
      const [now] = await ask<Commits>("SELECT pg_current_snapshot()::text AS place", []);
      this.#place = now!.place;
      return [];
    }
    const [found] = await ask<Commits>(commitsSql, [this.#place, this.#instance]);
    this.#place = found!.place;
    return found!.lists.flat().map(([collection, id, deleted]) => ({ collection, id, deleted }));
  }
}
