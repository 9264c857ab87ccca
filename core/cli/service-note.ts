import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Host } from "../host.ts";

/** What a service writes into its data directory, so that the other commands find it, whatever its port. */
interface ServiceNote {
  readonly url: string;
  readonly pid: number;
  readonly settings: string | null;
}

const fileIn = (dataDirectory: string): string => path.join(dataDirectory, "service.json");

/** The note of the service that works on this data, or did until it was cut off. */
export function readNote(dataDirectory: string): ServiceNote | undefined {
  try {
    return JSON.parse(readFileSync(fileIn(dataDirectory), "utf8")) as ServiceNote;
  } catch {
    return undefined;
  }
}

/** Leaves the note of a host that listens; what it gives back takes it away. */
export function leaveNote({ url, dataDirectory, settingsFile }: Host): () => void {
  const note: ServiceNote = { url, pid: process.pid, settings: settingsFile ?? null };
  writeFileSync(fileIn(dataDirectory), JSON.stringify(note), { mode: 0o600 });
  return () => {
    if (readNote(dataDirectory)?.pid === process.pid) rmSync(fileIn(dataDirectory), { force: true });
  };
}
