import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { AuditEntry } from "../contract/access.ts";

const current = "audit.jsonl";
const rotated = /^audit-\d{12}\.jsonl$/;

/** The folder of the audit, beside the store, so that restoring a backup forgets nothing. */
export const auditFolder = (dataDirectory: string): string => path.join(dataDirectory, "audit");

/** The name of a full file, by the number of its first entry, so that names sort as the entries do. */
export const rotatedAuditFile = (firstSeq: number): string =>
  `audit-${String(firstSeq).padStart(12, "0")}.jsonl`;

/** The number in the name of a full file; undefined for any other. */
export function firstSeqOf(file: string): number | undefined {
  const name = path.basename(file);
  return rotated.test(name) ? Number(/\d+/.exec(name)) : undefined;
}

/** The file that is written to. */
export const currentAuditFile = (folder: string): string => path.join(folder, current);

/** The files of an audit, the oldest first; none where there is no such folder. */
export function auditFiles(folder: string): readonly string[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const full = names.filter((name) => rotated.test(name)).toSorted();
  const all = names.includes(current) ? [...full, current] : full;
  return all.map((name) => path.join(folder, name));
}

/** What the next line names as the one before. */
export const auditHash = (line: string): string => createHash("sha256").update(line).digest("hex");

/** An entry; undefined for a line that is none. */
export function readAuditLine(line: string): AuditEntry | undefined {
  try {
    const entry = JSON.parse(line) as AuditEntry | null;
    return typeof entry?.seq === "number" && typeof entry.previous === "string" ? entry : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Where the chain begins and ends, in a file of its own: the lines alone do not show that the first or the
 * last of them were cut off.
 */
export interface AuditHead {
  /** The number of the first line that is kept. */
  readonly first: number;
  /** The number of the first line of the file that is written to. */
  readonly begins: number;
  /** The number of the last line. */
  readonly seq: number;
  /** Of the last line. */
  readonly hash: string;
  /** The size of the file that ends with it. */
  readonly bytes: number;
}

/** The file of the head. */
export const auditHeadFile = (folder: string): string => path.join(folder, "head.json");

/** The head; undefined where there is none that can be read. */
export function readAuditHead(folder: string): AuditHead | undefined {
  try {
    const head = JSON.parse(readFileSync(auditHeadFile(folder), "utf8")) as Partial<AuditHead> | null;
    const { first, begins, seq, hash, bytes } = head ?? {};
    const areNumbers = [first, begins, seq, bytes].every((one) => Number.isSafeInteger(one));
    return areNumbers && typeof hash === "string" ? (head as AuditHead) : undefined;
  } catch {
    return undefined;
  }
}

/** What finds the faults of a chain; each is told in words, undefined = none. */
export interface AuditCheck {
  /** What is wrong with the next line. */
  line(text: string): string | undefined;
  /** What is wrong with the end, after all lines. */
  end(): string | undefined;
}

/** Follows the chain from line to line, from where it begins to where it ends. */
export function auditCheck(head: AuditHead | undefined): AuditCheck {
  let before: { readonly seq: number; readonly hash: string } | undefined;
  return {
    line(text) {
      const entry = readAuditLine(text);
      if (entry === undefined) return "it is no entry";
      const expected = before;
      before = { seq: entry.seq, hash: auditHash(text) };
      if (expected === undefined) return beginFault(entry.seq, head);
      if (entry.seq !== expected.seq + 1)
        return `it has the number ${entry.seq} after ${expected.seq}: lines are missing`;
      if (entry.previous !== expected.hash) return "the line before it has been changed";
      return entry.seq === head?.seq && before.hash !== head.hash ? "it has been changed" : undefined;
    },
    end() {
      if (head === undefined || (before?.seq ?? 0) >= head.seq) return undefined;
      return `the last line should have the number ${head.seq}, not ${before?.seq ?? 0}: lines are missing`;
    },
  };
}

/** What is wrong with the first line. One that was to be removed already may still be there. */
function beginFault(seq: number, head: AuditHead | undefined): string | undefined {
  if (head === undefined || seq <= head.first) return undefined;
  return `it has the number ${seq}, but the first one should have ${head.first}: lines are missing`;
}
