import type { Worker } from "node:worker_threads";
import { startThread } from "@pergola/sdk";

/** A hostile or huge document ends its reader's thread, not the process. */
const resourceLimits = { maxOldGenerationSizeMb: 512 };

/** Starts the thread that reads files; whoever starts it ends it. */
export const startFacts = (): Worker =>
  startThread("facts", import.meta.url, { name: "system-search-facts", resourceLimits, env: {} });
