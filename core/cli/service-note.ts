import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import type { Host } from "../host.ts";
import { isSameProof, makeChallenge, proofOf, type ServiceIdentity } from "../service-proof.ts";
import { ask } from "./ask.ts";

/** What a service writes into its data directory, so that the other commands find it, whatever its port. */
export interface ServiceNote extends ServiceIdentity {
  readonly url: string;
  readonly pid: number;
  readonly settings: string | null;
  /** The real path of the data directory: in a copy of it the note is void. */
  readonly data: string;
}

const fileIn = (dataDirectory: string): string => path.join(dataDirectory, "service.json");

/**
 * The note of the service that works on this data. Undefined when there is none, when somebody else may have
 * written it, when it came here with a copy of another directory, or when its service has ended without
 * taking it away.
 */
export function readNote(dataDirectory: string): ServiceNote | undefined {
  try {
    const note = JSON.parse(readOwnFile(fileIn(dataDirectory))) as ServiceNote;
    const isOurs = note.data === realpathSync(dataDirectory);
    if (!isOurs || !/^http:\/\/127\.0\.0\.1:\d+$/.test(note.url) || !isAlive(note.pid)) return undefined;
    return note;
  } catch {
    return undefined;
  }
}

/** The text of a file of this user that nobody else can read. Throws for any other, and for a link. */
function readOwnFile(file: string): string {
  const descriptor = openSync(
    file,
    constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
  );
  try {
    const stats = fstatSync(descriptor);
    const user = process.getuid?.() ?? stats.uid;
    const isPrivate = process.platform === "win32" || (stats.mode & 0o077) === 0;
    if (stats.isFile() && stats.uid === user && isPrivate) return readFileSync(descriptor, "utf8");
    throw new Error(`${file} is not a private file of this account.`);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * What answers at the address of the note within so many milliseconds: `service`, which knows the secret that
 * stands in the note; something else or nothing, `other`; or `silence`, as of a service that is busy.
 */
export async function whoAnswers(
  note: ServiceNote,
  patience: number,
): Promise<"service" | "other" | "silence"> {
  const challenge = makeChallenge();
  const { url, data: dataDirectory } = note;
  const signal = AbortSignal.timeout(patience);
  try {
    const answer = await ask(`${url}/health?challenge=${challenge}`, { signal });
    const { proof } = await answer.json<{ readonly proof?: unknown }>();
    const address = new URL(url).host;
    const expected = proofOf(note, { challenge, dataDirectory, address });
    return typeof proof === "string" && isSameProof(proof, expected) ? "service" : "other";
  } catch {
    return signal.aborted ? "silence" : "other";
  }
}

/** Whether the service of the note answers at its address within so many milliseconds. */
export const isAtItsAddress = async (note: ServiceNote, patience = 1000): Promise<boolean> =>
  (await whoAnswers(note, patience)) === "service";

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Leaves the note of a host that listens; what it gives back takes it away. */
export function leaveNote({ url, dataDirectory, identity, settingsFile }: Host): () => void {
  const data = realpathSync(dataDirectory);
  const note: ServiceNote = { url, pid: process.pid, settings: settingsFile ?? null, data, ...identity };
  const file = fileIn(dataDirectory);
  // A new file: one that stands there keeps its mode.
  rmSync(`${file}.new`, { force: true });
  writeFileSync(`${file}.new`, JSON.stringify(note), { mode: 0o600, flag: "wx" });
  renameSync(`${file}.new`, file);
  return () => {
    if (readNote(dataDirectory)?.pid === process.pid) rmSync(file, { force: true });
  };
}
