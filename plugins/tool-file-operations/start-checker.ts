import type { Transferable, Worker } from "node:worker_threads";
import { startThread } from "@pergola/sdk";

/** A check of a very large project ends with its thread, not with the process. */
const resourceLimits = { maxOldGenerationSizeMb: 1024 };

/** Starts `<name>.worker`; whoever starts it ends it. */
export const startChecker = (
  name: "syntax" | "types",
  workerData?: unknown,
  transferList: readonly Transferable[] = [],
): Worker =>
  startThread(name, import.meta.url, { workerData, transferList: [...transferList], resourceLimits });
