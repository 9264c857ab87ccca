import { SqliteError } from "better-sqlite3";
import type { WorkerFault } from "@pergola/kit-worker";
import { AppError, defined } from "@pergola/sdk";

interface Kind {
  readonly message: string;
  readonly code?: string;
  /** The transaction cannot go on. */
  readonly ends?: boolean;
  /** The connection is not to be trusted any more. */
  readonly breaks?: boolean;
}

const notCarriedOut: Kind = {
  message: "The storage could not carry the request out.",
  code: "internal_error",
};

/** By the beginning of SQLite's code; the sentences go to clients. */
const kinds: Readonly<Record<string, Kind>> = {
  SQLITE_FULL: { message: "The disk is full; nothing was written.", ends: true },
  SQLITE_BUSY: { message: "Another program keeps the storage locked; try again later.", ends: true },
  SQLITE_TOOBIG: { message: "The value is too large to be stored.", code: "invalid_value" },
  SQLITE_ERROR: notCarriedOut,
  SQLITE_CONSTRAINT: notCarriedOut,
  SQLITE_IOERR: {
    message: "The disk reports an error; the write is not confirmed.",
    ends: true,
    breaks: true,
  },
  SQLITE_CORRUPT: { message: "The storage is damaged.", ends: true, breaks: true },
  SQLITE_NOTADB: { message: "The storage is damaged.", ends: true, breaks: true },
  SQLITE_READONLY: { message: "The storage cannot be written.", ends: true, breaks: true },
};

const unknown: Kind = { message: "The storage failed.", ends: true, breaks: true };

/** What a SQLite error means; undefined for any other error. */
export function kindOf(error: unknown): Kind | undefined {
  if (!(error instanceof SqliteError)) return undefined;
  const { code } = error;
  return Object.entries(kinds).find(([prefix]) => code.startsWith(prefix))?.[1] ?? unknown;
}

/** An error in a form that passes to the other thread. */
export function failureOf(error: unknown): WorkerFault {
  if (AppError.is(error))
    return defined({ code: error.code, message: error.message, details: error.details });
  const { code = "storage_unavailable", message } = kindOf(error) ?? notCarriedOut;
  return { code, message, cause: causeOf(error) };
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.stack ?? error.message;
  if (error instanceof SqliteError) return `${error.code}: ${cause}`;
  return cause;
}
