import { parentPort } from "node:worker_threads";
import { Grammars } from "./symbols/grammars.ts";
import { languageOf } from "./symbols/languages.ts";
import type { ThreadAnswer, ThreadJob } from "./symbol-thread.ts";

const grammars = new Grammars();

async function answer({ path, text, symbol }: ThreadJob): Promise<ThreadAnswer> {
  const language = languageOf(path);
  if (language === undefined) return { failed: "no grammar" };
  try {
    return { usages: await grammars.usages(language, text, symbol) };
  } catch (error) {
    return { failed: String(error) };
  }
}

parentPort?.on("message", (job: ThreadJob) => {
  void answer(job).then((found) => parentPort?.postMessage(found));
});
