import { workerData } from "node:worker_threads";
import { serve } from "../serve.ts";

// Tells through shared memory that it was asked to close, and closes or hangs.
const { flag, hangs } = workerData as { readonly flag: SharedArrayBuffer; readonly hangs: boolean };

serve<{ readonly double: { readonly ask: number; readonly answer: number } }>(
  { double: (value) => value * 2 },
  () => {
    Atomics.store(new Int32Array(flag), 0, 1);
    return hangs ? new Promise(() => undefined) : undefined;
  },
);
