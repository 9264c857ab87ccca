import { startThread, toToolError, WorkerPool, workerUrl, type WorkerFailure } from "@pergola/kit-worker";
import type { ToolError } from "@pergola/sdk";
import { invalidValue } from "./invalid-value.ts";
import type { DocumentText, ReadJob } from "./read/document-text.ts";
import type { WriteJob, WrittenDocument } from "./write/write-job.ts";

export interface DocumentTasks {
  /** Text, style and facts of a document. */
  readonly read: { readonly ask: ReadJob; readonly answer: DocumentText };
  /** The bytes of a document made from Markdown. */
  readonly write: { readonly ask: WriteJob; readonly answer: WrittenDocument };
}

function unusable({ reason, message }: WorkerFailure): ToolError {
  if (reason === "memory")
    return invalidValue(
      "The document needs too much memory.",
      "It may be a decompression bomb. If it is not, split it into smaller documents.",
    );
  return invalidValue(
    `The document could not be processed: ${message.replace(/\.$/, "")}.`,
    "It is probably damaged. Ask for another copy or another format; a retry makes no sense.",
  );
}

/**
 * Works on two documents at a time, each in a thread of its own. Rejects with ToolError `invalid_value` for
 * what is damaged, protected, too large, or not possible in the format, and with `unavailable` where
 * libraries have yet to be fetched.
 */
export const documentThreads = new WorkerPool<DocumentTasks>({
  start: () => startThread(workerUrl("document.worker", import.meta.url), { memoryLimit: 768 }),
  toError: toToolError(unusable),
  size: 2,
  idleAfter: 0,
  growthLimit: 1 << 30,
});
