import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { AppError, type Page } from "@pergola/sdk";
import {
  auditFiles,
  auditFolder,
  auditHash,
  currentAuditFile,
  readAuditLine,
  rotatedAuditFile,
  type AuditEntry,
  type AuditFact,
  type Parts,
} from "@pergola/sdk/host";

interface Chain {
  readonly seq: number;
  readonly hash: string;
}

/** The number of the last entry that can be read, and the hash of the last line, whatever it is. */
function chainAt(lines: readonly string[]): Chain {
  const line = lines.at(-1);
  if (line === undefined) return { seq: 0, hash: "" };
  const seq = lines.findLast((one) => readAuditLine(one) !== undefined) ?? "";
  return { seq: readAuditLine(seq)?.seq ?? 0, hash: auditHash(line) };
}

const linesOf = (text: string): readonly string[] => text.split("\n").filter((line) => line !== "");

/** The facts of who did what, a line each, chained by hashes; readable by the service's user alone. */
export class AuditLog {
  readonly #parts: Parts;
  readonly #folder: string;
  readonly #file: string;
  #last: Chain | undefined;
  #size = 0;
  #firstSeq = 1;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#folder = auditFolder(parts.dataDirectory);
    this.#file = currentAuditFile(this.#folder);
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

  /** Entries after a number, the oldest first. */
  async read({
    after,
    limit,
  }: {
    readonly after: number;
    readonly limit: number;
  }): Promise<Page<AuditEntry>> {
    const items: AuditEntry[] = [];
    let count = 0;
    for (const file of auditFiles(this.#folder)) {
      const entries = linesOf(await readFile(file, "utf8").catch(() => "")).flatMap(
        (line) => readAuditLine(line) ?? [],
      );
      const wanted = entries.filter(({ seq }) => seq > after);
      items.push(...wanted.slice(0, limit - items.length));
      count += wanted.length;
    }
    return { items, count };
  }

  #append({ caller, action, target = null, outcome, address = null, requestId = null }: AuditFact): void {
    const { seq, hash } = (this.#last ??= this.#open());
    this.#rotate();
    const entry: AuditEntry = {
      seq: seq + 1,
      time: this.#parts.timestamp(),
      caller: caller === undefined ? null : { kind: caller.kind, id: caller.id, name: caller.name },
      address,
      action,
      target: target && this.#parts.redact(target),
      outcome,
      requestId,
      previous: hash,
    };
    const line = JSON.stringify(entry);
    this.#write(Buffer.from(`${line}\n`));
    this.#last = { seq: entry.seq, hash: auditHash(line) };
  }

  #write(bytes: Buffer): void {
    const descriptor = openSync(this.#file, "a", 0o600);
    try {
      if (writeSync(descriptor, bytes) < bytes.length) throw new Error("the disk is full");
      this.#size += bytes.length;
    } catch (error) {
      truncate(descriptor, this.#size);
      throw error;
    } finally {
      closeSync(descriptor);
    }
  }

  /** Where the chain stands: after the last line of the file that is written to, or of the one before. */
  #open(): Chain {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const files = auditFiles(this.#folder);
    const full = files.filter((file) => file !== this.#file).at(-1);
    const text = files.includes(this.#file) ? readFileSync(this.#file, "utf8") : "";
    const lines = linesOf(text);
    this.#size = Buffer.byteLength(text);
    // A line that a power cut has torn gets its end, so that the next one stands alone.
    if (text !== "" && !text.endsWith("\n")) this.#write(Buffer.from("\n"));
    const before = full === undefined ? [] : linesOf(readFileSync(full, "utf8"));
    const last = chainAt([...before, ...lines]);
    this.#firstSeq = lines.length === 0 ? last.seq + 1 : last.seq + 1 - lines.length;
    return last;
  }

  #rotate(): void {
    const { preferences } = this.#parts;
    if (this.#size < preferences.get<number>("audit.max_bytes")) return;
    renameSync(this.#file, path.join(this.#folder, rotatedAuditFile(this.#firstSeq)));
    this.#size = 0;
    this.#firstSeq = (this.#last?.seq ?? 0) + 1;
    const full = auditFiles(this.#folder).filter((file) => file !== this.#file);
    const keep = preferences.get<number>("audit.keep_files");
    for (const file of full.slice(0, Math.max(0, full.length - keep))) rmSync(file, { force: true });
  }
}

/** Half a line would break the chain. A file that cannot be cut gets the next line's start as its end. */
function truncate(descriptor: number, size: number): void {
  try {
    ftruncateSync(descriptor, size);
  } catch {
    // What could not be written cannot be cut either where it is no regular file.
  }
}
