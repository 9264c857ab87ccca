import { startThread, WorkerPool, workerUrl } from "@pergola/kit-worker";

/** What the thread does: it counts the pages of a PDF. */
export interface PdfTasks {
  readonly pages: { readonly ask: Uint8Array; readonly answer: number };
}

/** Opens PDFs in a thread, so that no hostile file holds up the process. */
export const pdfReader = new WorkerPool<PdfTasks>({
  start: () => startThread(workerUrl("pdf.worker", import.meta.url), { memoryLimit: 512 }),
  toError: ({ message }) => new Error(message),
  deadline: 10_000,
  idleAfter: 60_000,
});
