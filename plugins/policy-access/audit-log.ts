import { open } from "node:fs/promises";
import { AppError, type Page } from "@pergola/sdk";
import {
  appendAudit,
  auditFiles,
  auditFolder,
  firstSeqOf,
  readAuditHead,
  readAuditLine,
  type AuditEntry,
  type AuditFact,
  type AuditHead,
  type Parts,
} from "@pergola/sdk/host";

interface AuditRange {
  readonly after: number;
  readonly limit: number;
}

/** The facts of who did what, a line each, chained by hashes; readable by the service's user alone. */
export class AuditLog {
  readonly #parts: Parts;
  readonly #folder: string;
  #head: AuditHead | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#folder = auditFolder(parts.dataDirectory);
  }

  /** Writes a fact down. Throws `storage_unavailable` where that fails; then nothing of it stands there. */
  record(fact: AuditFact): void {
    try {
      this.#append(fact);
    } catch (cause) {
      const message =
        "The audit cannot be written, so this is not done. Make room on the disk and try again.";
      throw new AppError({ code: "storage_unavailable", message, retryAfter: 30, cause });
    }
  }

  /** The same for what happens anyway. */
  note(fact: AuditFact): void {
    try {
      this.#append(fact);
    } catch (error) {
      this.#parts.log.error({ error, action: fact.action }, "a fact could not be written into the audit");
    }
  }

  /** Entries after a number, the oldest first, and how many there are. Only files with such are read. */
  async read({ after, limit }: AuditRange): Promise<Page<AuditEntry>> {
    const head = readAuditHead(this.#folder);
    const count = head === undefined ? 0 : Math.max(0, head.seq - Math.max(after, head.first - 1));
    const items: AuditEntry[] = [];
    const files = count === 0 ? [] : auditFiles(this.#folder);
    const begins = (file: string | undefined): number => firstSeqOf(file ?? "") ?? head?.begins ?? 0;
    for (const [index, file] of files.entries()) {
      const isBefore = index + 1 < files.length && begins(files[index + 1]) <= after + 1;
      if (!isBefore) items.push(...(await entriesIn(file, { after, limit: limit - items.length })));
      if (items.length === limit) break;
    }
    return { items, count };
  }

  #append(fact: AuditFact): void {
    const { preferences } = this.#parts;
    const rotation = {
      maxBytes: preferences.get<number>("audit.max_bytes"),
      keepFiles: preferences.get<number>("audit.keep_files"),
    };
    const target = fact.target ? this.#parts.redact(fact.target) : null;
    const options = { time: this.#parts.timestamp(), known: this.#head, rotation };
    this.#head = appendAudit(this.#folder, { ...fact, target }, options);
  }
}

/** The entries of a file after a number; none of one that was removed meanwhile. */
async function entriesIn(file: string, { after, limit }: AuditRange): Promise<readonly AuditEntry[]> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  const found: AuditEntry[] = [];
  try {
    for await (const line of handle?.readLines() ?? []) {
      const entry = readAuditLine(line);
      if (entry !== undefined && entry.seq > after) found.push(entry);
      if (found.length === limit) break;
    }
  } finally {
    await handle?.close();
  }
  return found;
}
