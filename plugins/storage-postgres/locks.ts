import { createHash } from "node:crypto";

/**
 * What advisory locks guard: the bringing of a database to another format, the list of its tables, and from
 * 16 on the hosts by their numbers, each of which holds its own for as long as its session lives.
 */
const guarded = { format: 1, catalog: 2, hosts: 16 } as const;

/** Advisory locks belong to the whole database: the first number of a key tells schemas apart. */
const classOf = (schema: string): number =>
  createHash("sha256").update(`pergola/${schema}`).digest().readInt32BE();

/** A call of one of PostgreSQL's functions for advisory locks. `number` is that of a host, or SQL for it. */
export const lockSql = (
  schema: string,
  what: keyof typeof guarded,
  call: string,
  number: number | string = 0,
): string => `${call}(${classOf(schema)}, ${guarded[what]} + ${number})`;

/** The key of such a lock in `pg_locks`, whose numbers have no sign; `first` is that of number 0. */
export const lockKey = (
  schema: string,
  what: keyof typeof guarded,
): { readonly classId: number; readonly first: number } => ({
  classId: classOf(schema) >>> 0,
  first: guarded[what],
});
