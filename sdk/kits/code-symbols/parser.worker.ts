import { parentPort } from "node:worker_threads";
import { Grammars } from "./find/grammars.ts";
import { languageOf } from "./languages/languages.ts";
import type { ParserJob, ParserReply } from "./parser-thread.ts";

const grammars = new Grammars();

async function reply({ path, text, symbol }: ParserJob): Promise<ParserReply> {
  const language = languageOf(path);
  if (language === undefined) return { failure: "There is no grammar for this file." };
  try {
    if (symbol === undefined) return { found: await grammars.errors(language, text) };
    return { found: await grammars.usages(language, text, symbol) };
  } catch (error) {
    return { failure: String(error) };
  }
}

parentPort?.on("message", (job: ParserJob) => {
  void reply(job).then((answer) => parentPort?.postMessage(answer));
});
