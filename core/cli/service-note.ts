import { readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Host } from "../host.ts";

/** What a service writes into its data directory, so that the other commands find it, whatever its port. */
interface ServiceNote {
  readonly url: string;
  readonly pid: number;
  readonly settings: string | null;
  /** The real path of the data directory: in a copy of it the note is void. */
  readonly data: string;
}

const fileIn = (dataDirectory: string): string => path.join(dataDirectory, "service.json");

/**
 * The note of the service that works on this data. Undefined when there is none, when it came here with a
 * copy of another directory, or when its service has ended without taking it away.
 */
export function readNote(dataDirectory: string): ServiceNote | undefined {
  try {
    const note = JSON.parse(readFileSync(fileIn(dataDirectory), "utf8")) as ServiceNote;
    if (note.data !== realpathSync(dataDirectory) || !isAlive(note.pid)) return undefined;
    return note;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Leaves the note of a host that listens; what it gives back takes it away. */
export function leaveNote({ url, dataDirectory, settingsFile }: Host): () => void {
  const data = realpathSync(dataDirectory);
  const note: ServiceNote = { url, pid: process.pid, settings: settingsFile ?? null, data };
  writeFileSync(fileIn(dataDirectory), JSON.stringify(note), { mode: 0o600 });
  return () => {
    if (readNote(dataDirectory)?.pid === process.pid) rmSync(fileIn(dataDirectory), { force: true });
  };
}
