import { parentPort, type Transferable } from "node:worker_threads";
import type {
  EventOf,
  FromWorker,
  Tasks,
  ToWorker,
  WorkerFault,
  WorkerReply,
  WorkerRequest,
} from "./messages.ts";

/** What a handler may use besides what it was asked. */
export interface Call<Event> {
  /** Aborts when the caller cancels the task. */
  readonly signal: AbortSignal;
  readonly emit: (event: Event) => void;
  /** What is pushed here moves with the answer instead of being copied; in threads only. */
  readonly transfer: Transferable[];
}

export type Handlers<T extends Tasks<T>> = {
  readonly [K in keyof T]: (
    ask: T[K]["ask"],
    call: Call<EventOf<T[K]>>,
  ) => T[K]["answer"] | Promise<T[K]["answer"]>;
};

/**
 * Runs in the worker: does what the connection on the other side asks. Tasks may overlap when several are
 * asked at once. `close` is called before the worker ends because its connection was closed.
 */
export function serve<T extends Tasks<T>>(handlers: Handlers<T>, close?: () => unknown): void {
  const running = new Map<number, AbortController>();
  const run = async ({ id, name, ask }: WorkerRequest<T>): Promise<void> => {
    const controller = new AbortController();
    const transfer: Transferable[] = [];
    const emit = (event: unknown): void => send({ id, event });
    running.set(id, controller);
    const reply = await replyOf(id, () => handlers[name](ask, { signal: controller.signal, emit, transfer }));
    running.delete(id);
    send({ replies: [reply] }, transfer);
  };
  receive<ToWorker<T>>((message) => {
    if ("requests" in message) for (const request of message.requests) void run(request);
    else if ("cancel" in message) running.get(message.cancel)?.abort(new Error("cancelled"));
    else void Promise.resolve(close?.()).finally(() => process.exit());
  });
}

async function replyOf(id: number, work: () => unknown): Promise<WorkerReply> {
  try {
    return { id, answer: await work() };
  } catch (error) {
    return { id, fault: faultOf(error) };
  }
}

function send(message: FromWorker, transfer: readonly Transferable[] = []): void {
  if (parentPort === null) process.send?.(message);
  else parentPort.postMessage(message, transfer);
}

function receive<M>(listener: (message: M) => void): void {
  if (parentPort === null) process.on("message", listener as (message: unknown) => void);
  else parentPort.on("message", listener);
}

/** The marks of the SDK's errors; importing the SDK would cost each worker its start. */
const marks = ["pergola.AppError", "pergola.ToolError"].map((name) => Symbol.for(name));

interface ToolFields {
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** An error in a form that passes between threads and processes. */
export function faultOf(error: unknown): WorkerFault {
  if (!(error instanceof Error)) return { message: String(error) };
  if (!marks.some((mark) => mark in error)) return { message: error.message };
  const { message, code, hint, fields, details = fields } = error as Error & WorkerFault & ToolFields;
  return {
    message,
    ...(code && { code }),
    ...(hint && { hint }),
    ...(details && { details }),
  };
}
