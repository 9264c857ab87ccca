import type { MessagePort } from "node:worker_threads";
import type ts from "typescript";

/** What the type checker's thread asks about files while it waits. Paths are absolute. */
export type FileRequest = { readonly kind: "list" | "read" | "real"; readonly path: string };

export type ListedEntry = readonly [name: string, isFolder: boolean];

/** The answers; null for what is not there or may not be seen. */
export interface FileReplies {
  readonly list: readonly ListedEntry[] | null;
  readonly read: string | null;
  readonly real: string | null;
}

/** The compiler, which is found at run time or not at all. */
export type TypeScript = typeof ts;

/** What the thread is started with. */
export interface CheckerData {
  /** Path of the compiler's main file. */
  readonly compiler: string;
  /** Real path of the working directory. */
  readonly root: string;
  readonly port: MessagePort;
  /** Turns from 0 to 1 when an answer waits on the port. */
  readonly flag: SharedArrayBuffer;
}

/** A fault in a file; the checker names files by their absolute paths. */
export type Fault = {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly code: string;
};

export interface CheckAnswer {
  readonly faults: readonly Fault[];
  /** The files that were checked; the others belong to no project. */
  readonly checked: readonly string[];
}

/** What the thread does: it checks files, given by their absolute paths. */
export interface CheckTasks {
  readonly check: { readonly ask: readonly string[]; readonly answer: CheckAnswer };
}
