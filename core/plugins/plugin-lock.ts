import { mkdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { isObject, messageOf } from "@pergola/sdk";
import { claimFile, type AuditFact, type Permissions } from "@pergola/sdk/host";
import type { ToolEffects } from "./plugin-grants.ts";
import { recordFact } from "./supply-audit.ts";

/** A package that a plugin brings along. */
export interface LockedDependency {
  readonly name: string;
  readonly version: string;
  readonly integrity: string | null;
}

/** One version of a plugin, as the person has approved it. */
export interface LockedVersion {
  /** As the person named it, such as `npm:tool-dice@^1`; absent for one that only the settings name. */
  readonly source?: string;
  readonly package: string;
  readonly version: string;
  /** Of the package's tarball; null where there was none. */
  readonly integrity: string | null;
  /** The digest of all files; null = linked by its author, not pinned. */
  readonly files: string | null;
  /**
   * Where Pergola keeps it, below `<data>/plugins`; absolute for a linked one; absent = where the settings
   * say.
   */
  readonly folder?: string;
  readonly dependencies?: readonly LockedDependency[];
  /** null in entries of a time when they were not written down. */
  readonly permissions: Permissions | null;
  /** What its tools said they do; null = not known yet. */
  readonly tools: ToolEffects | null;
  /** It may run in the host's process. */
  readonly trusted?: true;
  /** ISO 8601. */
  readonly grantedAt: string;
}

/** What the lock says of a plugin. For one of Pergola's own, only whether it is switched off. */
export interface LockEntry {
  /** false = switched off. */
  readonly enabled?: boolean;
  readonly current?: LockedVersion;
  /** The last good version, to go back to. */
  readonly previous?: LockedVersion;
}

export type Lock = Readonly<Record<string, LockEntry>>;

/** Everything about plugins lies here. */
export const pluginsFolder = (dataDirectory: string): string => path.join(dataDirectory, "plugins");

const lockFile = (dataDirectory: string): string => path.join(pluginsFolder(dataDirectory), "lock.json");

/** What is locked; nothing without a file. Throws for a file that cannot be read. */
export function readLock(dataDirectory: string): Lock {
  const file = lockFile(dataDirectory);
  try {
    const lock: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (!isObject(lock)) throw new Error("it is no record");
    return Object.fromEntries(Object.entries(lock).map(([id, entry]) => [id, entryOf(id, entry)]));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    const advice = "Restore it from a backup, or delete it and approve your plugins again";
    throw new Error(`${file} cannot be read (${messageOf(error)}). ${advice}`, { cause: error });
  }
}

type StoredEntry = Omit<Partial<LockedVersion>, "grantedAt"> &
  Omit<LockEntry, "current"> & { readonly grantedAt?: string; readonly approvedAt?: string };

/** In the file the fields of the current version stand beside `enabled` and `previous`. */
function entryOf(id: string, stored: unknown): LockEntry {
  if (!isObject(stored)) throw new Error(`its entry ${id} is no record`);
  const { enabled, previous, approvedAt = "", ...fields } = stored as StoredEntry;
  const switches = { ...(enabled !== undefined && { enabled }), ...(previous && { previous }) };
  if (fields.version === undefined) return switches;
  const blank = { package: id, version: "", integrity: null, files: null, permissions: null, tools: null };
  return { ...switches, current: { ...blank, grantedAt: approvedAt, ...fields } };
}

const storedOf = ({ current, ...switches }: LockEntry): object => ({ ...current, ...switches });

/**
 * Changes the lock: `change` gets it as it is now and gives back the entries that are to be other ones;
 * undefined takes an entry out. One at a time, across processes. What a person changes is a `fact` for the
 * audit: where that cannot be written, nothing is changed. Throws for a lock that cannot be read or written,
 * and AppError `storage_unavailable` for the audit.
 */
export function changeLock(
  dataDirectory: string,
  change: (lock: Lock) => Readonly<Record<string, LockEntry | undefined>>,
  fact?: AuditFact,
): void {
  mkdirSync(pluginsFolder(dataDirectory), { recursive: true, mode: 0o700 });
  const file = lockFile(dataDirectory);
  const next = `${file}.new`;
  claimFile(next);
  try {
    const before = readLock(dataDirectory);
    const entries = Object.entries({ ...before, ...change(before) });
    const kept = entries.flatMap(([id, entry]) => (entry === undefined ? [] : [[id, storedOf(entry)]]));
    writeFileSync(next, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
    if (fact !== undefined) recordFact(dataDirectory, fact);
    renameSync(next, file);
  } catch (error) {
    unlinkSync(next);
    throw error;
  }
}
