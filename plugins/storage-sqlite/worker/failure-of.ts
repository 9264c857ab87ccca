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

/** By the beginning of SQLite's code; the sentences go to clients. */
const kinds: Readonly<Record<string, Kind>> = {
  SQLITE_FULL: { message: "The disk is full; nothing was written.", ends: true },
  SQLITE_BUSY: { message: "Another program keeps the storage locked; try again later.", ends: true },
  SQLITE_TOOBIG: { message: "The value is too large to be stored.", code: "invalid_value" },
  SQLITE_ERROR: { message: "The storage could not carry the request out.", code: "internal_error" },
  SQLITE_CONSTRAINT: { message: "The storage could not carry the request out.", code: "internal_error" },
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

const codeOf = (error: unknown): string => (error instanceof SqliteError ? error.code : "");

/** What a SQLite error means; undefined for any other error. */
export function kindOf(error: unknown): Kind | undefined {
  const code = codeOf(error);
  if (code === "") return undefined;
  return Object.entries(kinds).find(([prefix]) => code.startsWith(prefix))?.[1] ?? unknown;
}

/** An error in a form that passes to the other thread. */
export function failureOf(error: unknown): WorkerFault {
  if (AppError.is(error))
    return defined({ code: error.code, message: error.message, details: error.details });
  const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const kind = kindOf(error);
  if (kind === undefined)
    return { code: "internal_error", message: "The storage could not carry the request out.", cause };
  return {
    code: kind.code ?? "storage_unavailable",
    message: kind.message,
    cause: `${codeOf(error)}: ${cause}`,
  };
}
