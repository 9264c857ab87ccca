/** One thing a worker can do: what it is asked, what it answers, and the events it sends meanwhile. */
export interface Task {
  readonly ask: unknown;
  readonly answer: unknown;
  readonly event?: unknown;
}

/** The tasks of a worker by their names. */
export type Tasks<T> = { readonly [K in keyof T]: Task };

export type EventOf<T extends Task> = T extends { readonly event: infer E } ? E : never;

/** A request on its way to the worker. */
export interface WorkerRequest<T extends Tasks<T>, K extends keyof T = keyof T> {
  readonly id: number;
  readonly name: K;
  readonly ask: T[K]["ask"];
}

export type ToWorker<T extends Tasks<T>> =
  { readonly requests: readonly WorkerRequest<T>[] } | { readonly cancel: number } | { readonly close: true };

/** An error in a form that passes between threads and processes. */
export interface WorkerFault {
  readonly message: string;
  /** The code of an AppError or a ToolError; undefined for any other error. */
  readonly code?: string;
  readonly hint?: string;
  /** The details of an AppError, or the fields of a ToolError. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: string;
}

/** The answer to one request, or why there is none. */
export interface WorkerReply {
  readonly id: number;
  readonly answer?: unknown;
  readonly fault?: WorkerFault;
}

/** `notice` belongs to no request: the worker is ready, or has something to log. */
export type FromWorker<Notice = never> =
  | { readonly replies: readonly WorkerReply[] }
  | { readonly id: number; readonly event: unknown }
  | { readonly notice: Notice };
