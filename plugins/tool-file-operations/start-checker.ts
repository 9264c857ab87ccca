import type { Transferable, Worker } from "node:worker_threads";
import { startThread } from "@pergola/sdk";

/** A check of a very large project ends with its thread, not with the process. */
const resourceLimits = { maxOldGenerationSizeMb: 1024 };

/** Starts `types.worker`; whoever starts it ends it. */
export const startChecker = (workerData: unknown, transferList: readonly Transferable[] = []): Worker =>
  startThread("types", import.meta.url, { workerData, transferList: [...transferList], resourceLimits });
