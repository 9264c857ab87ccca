import { startThread } from "@pergola/sdk";
import type { DocumentText, ReadJob } from "./read/document-text.ts";
import { runJob } from "./thread/run-job.ts";

/** Megabytes of JavaScript values that a thread may hold. */
const resourceLimits = { maxOldGenerationSizeMb: 768 };

/**
 * Text, style and facts of a document. Rejects with ToolError `invalid_value` for what is damaged, protected
 * or too large.
 */
export const readDocument = (job: ReadJob, signal: AbortSignal): Promise<DocumentText> =>
  runJob(() => startThread("read", import.meta.url, { workerData: job, resourceLimits }), signal);
