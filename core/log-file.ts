import { closeSync, fchmodSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from "node:fs";
import path from "node:path";

/** Bytes of a file before the next one begins; the one before it is kept. */
const most = 5_242_880;

const logFolder = (dataDirectory: string): string => path.join(dataDirectory, "logs");

/** The files that hold the newest lines of a service, the older one first; one of them may not be there. */
export const logFiles = (dataDirectory: string): readonly [older: string, newest: string] => [
  path.join(logFolder(dataDirectory), "service.1.jsonl"),
  path.join(logFolder(dataDirectory), "service.jsonl"),
];

/**
 * Keeps finished lines of a log in the data directory, for `pergola logs`: at most 10 MiB, which nobody else
 * can read. What cannot be written there is lost without a word, for the line goes to stderr as well.
 */
export class LogFile {
  readonly #dataDirectory: string;
  #descriptor: number | undefined;
  #bytes = 0;

  constructor(dataDirectory: string) {
    this.#dataDirectory = dataDirectory;
  }

  write(line: string): void {
    try {
      this.#descriptor ??= this.#open();
      this.#bytes += writeSync(this.#descriptor, line);
      if (this.#bytes >= most) this.#turn();
    } catch {
      this.#close();
    }
  }

  #open(): number {
    const [, newest] = logFiles(this.#dataDirectory);
    mkdirSync(path.dirname(newest), { recursive: true, mode: 0o700 });
    const descriptor = openSync(newest, "a", 0o600);
    fchmodSync(descriptor, 0o600);
    this.#bytes = fstatSync(descriptor).size;
    return descriptor;
  }

  #turn(): void {
    this.#close();
    const [older, newest] = logFiles(this.#dataDirectory);
    renameSync(newest, older);
  }

  #close(): void {
    const descriptor = this.#descriptor;
    this.#descriptor = undefined;
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
