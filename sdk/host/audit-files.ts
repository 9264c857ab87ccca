import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import type { AuditEntry } from "../contract/access.ts";

const current = "audit.jsonl";
const rotated = /^audit-\d{12}\.jsonl$/;

/** The folder of the audit, beside the store, so that restoring a backup forgets nothing. */
export const auditFolder = (dataDirectory: string): string => path.join(dataDirectory, "audit");

/** The name of a full file, by the number of its first entry, so that names sort as the entries do. */
export const rotatedAuditFile = (firstSeq: number): string =>
  `audit-${String(firstSeq).padStart(12, "0")}.jsonl`;

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

/** Follows the chain from line to line; `check` gives what is wrong with a line, or undefined. */
export function auditChain(): { check(line: string): string | undefined } {
  let before: { readonly seq: number; readonly hash: string } | undefined;
  return {
    check(line) {
      const entry = readAuditLine(line);
      if (entry === undefined) return "it is no entry";
      const expected = before;
      before = { seq: entry.seq, hash: auditHash(line) };
      if (expected === undefined) return undefined;
      if (entry.seq !== expected.seq + 1)
        return `it has the number ${entry.seq} after ${expected.seq}: lines are missing`;
      if (entry.previous !== expected.hash) return "the line before it has been changed";
      return undefined;
    },
  };
}
