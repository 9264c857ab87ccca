import { startThread, toToolError, WorkerPool, workerUrl } from "@pergola/kit-worker";
import { ToolError } from "@pergola/sdk";
import { decodeText } from "./decode-text.ts";
import type { PdfTasks } from "./pdf-tasks.ts";

const readers = new WorkerPool<PdfTasks>({
  start: () => startThread(workerUrl("pdf-text.worker", import.meta.url), { memoryLimit: 768 }),
  toError: toToolError(({ message }) => new ToolError("invalid_value", `The PDF cannot be read: ${message}`)),
  size: 2,
  deadline: 60_000,
  idleAfter: 0,
});

const isText = (mediaType: string): boolean => /^text\/|[/+](?:json|xml|yaml)$/i.test(mediaType);

/**
 * The text of a file that came with a request, a PDF read in a thread of its own; undefined where none can be
 * read: in a damaged or protected file, a picture of text, a file of another kind.
 */
export async function attachmentText(
  mediaType: string,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (isText(mediaType)) return decodeText(bytes);
  if (mediaType.toLowerCase() !== "application/pdf") return undefined;
  try {
    return (await readers.run("text", bytes, { signal })) || undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (ToolError.is(error)) return undefined;
    throw error;
  }
}
