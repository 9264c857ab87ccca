import { parentPort } from "node:worker_threads";

/** The answer of a thread: what it found, or why it could not. */
export type Reply = { readonly answer: unknown } | { readonly reason: string };

/** Runs in a thread: answers one job after the other, for as long as the thread lives. */
export function serve<J>(work: (job: J) => Promise<unknown>): void {
  const answer = async (job: J): Promise<Reply> => {
    try {
      return { answer: await work(job) };
    } catch (error) {
      return { reason: error instanceof Error ? error.message : String(error) };
    }
  };
  let last = Promise.resolve();
  parentPort?.on("message", (job: J) => {
    last = last.then(async () => parentPort?.postMessage(await answer(job)));
  });
}
