import { startThread, WorkerPool, workerUrl, type WorkerFailure } from "@pergola/kit-worker";

/** Schemas are texts of JSON. */
export interface SchemaTasks {
  /** What makes the schema unusable. */
  readonly compile: { readonly ask: string; readonly answer: string | undefined };
  /** What is wrong with an answer. */
  readonly check: {
    readonly ask: { readonly schema: string; readonly text: string };
    readonly answer: readonly string[];
  };
}

/** A check came to no end: it took too long, or too much memory. */
export class CheckFailure extends Error {
  readonly reason: WorkerFailure["reason"];

  constructor({ reason, message }: WorkerFailure) {
    super(message);
    this.name = new.target.name;
    this.reason = reason;
  }
}

/**
 * Schemas come from strangers: a regular expression or a chain of alternatives may take for ever. They are
 * compiled and applied in threads of their own, each task within `deadline` milliseconds.
 */
export const openThreads = (deadline: number): WorkerPool<SchemaTasks> =>
  new WorkerPool<SchemaTasks>({
    start: () => startThread(workerUrl("schema.worker", import.meta.url), { memoryLimit: 256 }),
    toError: (failure) => new CheckFailure(failure),
    size: 2,
    deadline,
    idleAfter: 60_000,
  });
