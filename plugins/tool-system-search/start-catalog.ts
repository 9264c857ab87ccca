import type { Worker } from "node:worker_threads";
import { startThread } from "@pergola/sdk";
import type { IndexSettings } from "./service/messages.ts";

/** Starts the thread that keeps the index; whoever starts it ends it. */
export const startCatalog = (settings: IndexSettings): Worker =>
  startThread("catalog", import.meta.url, { name: "system-search", workerData: settings });
