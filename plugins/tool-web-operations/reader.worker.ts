import { parentPort } from "node:worker_threads";
import { doJob } from "./reading/do-job.ts";
import type { Job, Reply } from "./reading/jobs.ts";
import { WrongSelector } from "./reading/select-texts.ts";

const answer = async (job: Job): Promise<Reply> => {
  try {
    return { answer: await doJob(job) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { reason, code: error instanceof WrongSelector ? "invalid_value" : "generic_error" };
  }
};

/** One job after the other; whoever asks waits for the answer before the next. */
parentPort?.on("message", (job: Job) => {
  void answer(job).then((reply) => parentPort?.postMessage(reply));
});
