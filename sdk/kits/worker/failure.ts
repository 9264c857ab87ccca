import type { WorkerFault } from "./messages.ts";

/**
 * Why a request has no answer: its `task` failed, and the worker goes on; it passed its `deadline`; the
 * worker needed more `memory` than it may have, `crashed` or could not be started, `exited` by itself or by a
 * signal from outside; or the client `closed` it.
 */
export type FailureReason = "task" | "deadline" | "memory" | "crashed" | "exited" | "closed";

export interface WorkerFailure {
  readonly reason: FailureReason;
  /** Lower case, without a period: `exit code 1`, `SIGKILL`, or the message of the error. */
  readonly message: string;
  /** What the worker says of a failed task. */
  readonly fault?: WorkerFault;
  /** The error that ended the worker. */
  readonly cause?: unknown;
}

/** Makes the error that a caller gets. */
export type ToError = (failure: WorkerFailure) => Error;

export const deadlinePassed: WorkerFailure = { reason: "deadline", message: "it takes too long" };
export const closedByClient: WorkerFailure = { reason: "closed", message: "it was closed" };
export const memoryExceeded: WorkerFailure = { reason: "memory", message: "it needs too much memory" };
