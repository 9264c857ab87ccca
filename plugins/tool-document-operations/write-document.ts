import { startThread } from "@pergola/sdk";
import { runJob } from "./thread/run-job.ts";
import type { WrittenDocument, WriteJob } from "./write/write-job.ts";

/** Megabytes of JavaScript values that a thread may hold. */
const resourceLimits = { maxOldGenerationSizeMb: 768 };

/**
 * The bytes of a document made from Markdown. Rejects with ToolError `invalid_value` for what the format
 * cannot hold.
 */
export const writeDocument = (job: WriteJob, signal: AbortSignal): Promise<WrittenDocument> =>
  runJob(() => startThread("write", import.meta.url, { workerData: job, resourceLimits }), signal);
