import { parentPort, workerData } from "node:worker_threads";
import { SearchIndex } from "./index/search-index.ts";
import type { FromIndex, IndexSettings, ToIndex } from "./service/messages.ts";

const index = new SearchIndex(workerData as IndexSettings);
const send = (message: FromIndex): void => parentPort?.postMessage(message);
const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));

parentPort?.on("message", (message: ToIndex) => {
  if ("close" in message) return void index.close().then(() => process.exit());
  const { number } = message;
  index.answer(message).then(
    (answer) => send({ number, answer }),
    (error: unknown) => send({ number, failure: reason(error) }),
  );
});
