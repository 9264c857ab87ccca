import {
  appendFileSync,
  closeSync,
  constants,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import type { AuditEntry } from "../contract/access.ts";
import type { AuditFact } from "./access-keeper.ts";
import {
  auditFiles,
  auditHash,
  auditHeadFile,
  currentAuditFile,
  firstSeqOf,
  readAuditHead,
  readAuditLine,
  rotatedAuditFile,
  type AuditHead,
} from "./audit-files.ts";
import { claimFile } from "./claim-file.ts";

interface AppendOptions {
  /** ISO 8601 in UTC. */
  readonly time: string;
  /** The head as this process wrote it last; an older one in the file was put back. */
  readonly known?: AuditHead | undefined;
  /** When a new file is begun, and how many full ones are kept; absent = the present file grows. */
  readonly rotation?: { readonly maxBytes: number; readonly keepFiles: number };
}

/** Comes before the next fact where no head was found: what was cut off until then shows nowhere. */
const anchored: AuditFact = { action: "audit.anchor", outcome: "done" };

/**
 * Writes a fact down as the next line of the chain, whoever else writes into it: the service, or a command
 * beside it. They take turns by a file. Gives the head as it is then. Throws where the line cannot be
 * written; then nothing of it stands there.
 */
export function appendAudit(folder: string, fact: AuditFact, options: AppendOptions): AuditHead {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const turn = path.join(folder, "writing");
  claimFile(turn);
  try {
    const head = newestHead(folder, options.known);
    const place = rotate(folder, standing(folder, head), options.rotation);
    const facts = head === undefined && place.seq > 0 ? [anchored, fact] : [fact];
    return append(folder, facts, place, options.time);
  } finally {
    rmSync(turn, { force: true });
  }
}

function newestHead(folder: string, known: AuditHead | undefined): AuditHead | undefined {
  const written = readAuditHead(folder);
  return known !== undefined && known.seq > (written?.seq ?? 0) ? known : written;
}

/** Where the chain ends. */
type End = Pick<AuditHead, "seq" | "hash">;

function linesOf(facts: readonly AuditFact[], after: End, time: string) {
  let end: End = { seq: after.seq, hash: after.hash };
  let text = "";
  for (const fact of facts) {
    const line = lineOf(fact, end, time);
    text += `${line}\n`;
    end = { seq: end.seq + 1, hash: auditHash(line) };
  }
  return { text, end };
}

function lineOf(fact: AuditFact, { seq, hash }: End, time: string): string {
  const { caller, action, target = null, outcome, address = null, requestId = null } = fact;
  const entry: AuditEntry = {
    seq: seq + 1,
    time,
    caller: caller === undefined ? null : { kind: caller.kind, id: caller.id, name: caller.name },
    address,
    action,
    target,
    outcome,
    requestId,
    previous: hash,
  };
  return JSON.stringify(entry);
}

/**
 * Where the chain stands: where its head says, unless a writer died after its line. Lines that were cut off
 * do not move it, so that the next line shows the gap.
 */
function standing(folder: string, head: AuditHead | undefined): AuditHead {
  const file = currentAuditFile(folder);
  if (head !== undefined && head.bytes === sizeOf(file)) return head;
  const text = textOf(file);
  // A line that a power cut has torn gets its end, so that the next one stands alone.
  if (text !== "" && !text.endsWith("\n")) appendFileSync(file, "\n");
  const lines = readLines(text);
  const full = auditFiles(folder).filter((one) => one !== file);
  const begins = lines.flatMap(seqOf)[0];
  const before = begins === undefined ? readLines(textOf(full.at(-1) ?? "")) : [];
  const end = endOf([...before, ...lines], head);
  const place = { begins: begins ?? end.seq + 1, ...end, bytes: sizeOf(file) };
  const first = head?.first ?? full.flatMap((one) => firstSeqOf(one) ?? [])[0];
  return { first: first ?? place.begins, ...place };
}

const readLines = (text: string): readonly string[] => text.split("\n").filter((line) => line !== "");

const seqOf = (line: string): number | readonly [] => readAuditLine(line)?.seq ?? [];

/** The end as the lines show it, or as the head has it where lines are missing or were changed. */
function endOf(lines: readonly string[], head: AuditHead | undefined): End {
  const last = lines.at(-1);
  const seq = lines.flatMap(seqOf).at(-1) ?? 0;
  const isTorn = last !== undefined && readAuditLine(last) === undefined;
  const isBeyond = head === undefined || seq > head.seq || (seq === head.seq && isTorn);
  if (isBeyond) return { seq, hash: last === undefined ? "" : auditHash(last) };
  return { seq: head.seq, hash: head.hash };
}

/** Bytes of a file; 0 for what is none. */
function sizeOf(file: string): number {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats?.isFile() === true ? stats.size : 0;
}

const textOf = (file: string): string => (sizeOf(file) === 0 ? "" : readFileSync(file, "utf8"));

/** Sets a full file aside, under the number of its first line, and removes those that are too old. */
function rotate(folder: string, place: AuditHead, rotation: AppendOptions["rotation"]): AuditHead {
  if (rotation === undefined || place.bytes < rotation.maxBytes) return place;
  const file = currentAuditFile(folder);
  renameSync(file, path.join(folder, rotatedAuditFile(place.begins)));
  const full = auditFiles(folder).filter((one) => one !== file);
  const kept = full.slice(-rotation.keepFiles);
  const first = full.length === kept.length ? place.first : firstSeqOf(kept[0] ?? "");
  const begins = place.seq + 1;
  const next = { ...place, first: first ?? begins, begins, bytes: 0 };
  // Before they go, the head says that they are no longer kept.
  writeHead(folder, next);
  for (const one of full.slice(0, full.length - kept.length)) rmSync(one, { force: true });
  return next;
}

function append(folder: string, facts: readonly AuditFact[], place: AuditHead, time: string): AuditHead {
  const { text, end } = linesOf(facts, place, time);
  const bytes = Buffer.from(text);
  const next = { first: place.first, begins: place.begins, ...end, bytes: place.bytes + bytes.length };
  const descriptor = openSync(currentAuditFile(folder), "a", 0o600);
  try {
    if (writeSync(descriptor, bytes) < bytes.length) throw new Error("the disk is full");
    writeHead(folder, next);
    return next;
  } catch (error) {
    truncate(descriptor, place.bytes);
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** Bytes of the head, always the same: it is overwritten in place, in one write, which needs no room. */
const headBytes = 256;

/** Not by renaming a new file: that makes some file systems write to the disk at once, for each fact. */
function writeHead(folder: string, head: AuditHead): void {
  const { O_WRONLY, O_CREAT } = constants;
  const descriptor = openSync(auditHeadFile(folder), O_WRONLY | O_CREAT, 0o600);
  try {
    writeSync(descriptor, `${JSON.stringify(head).padEnd(headBytes - 1)}\n`, 0);
  } finally {
    closeSync(descriptor);
  }
}

/** Half a line would break the chain. */
function truncate(descriptor: number, size: number): void {
  try {
    ftruncateSync(descriptor, size);
  } catch {
    // What could not be written cannot be cut either where it is no regular file.
  }
}
