import { parentPort, receiveMessageOnPort } from "node:worker_threads";
import { openLastingDatabase, Refused } from "@pergola/kit-storage/directory";
import type { FromWorker, ToWorker } from "@pergola/kit-worker";
import type { Notice, Operations, WorkerOptions } from "./messages.ts";
import { Engine } from "./worker/engine.ts";

if (parentPort === null) throw new Error("This file runs in a worker thread.");
const port = parentPort;
const send = (message: FromWorker<Notice>): void => port.postMessage(message);
const sendNotice = (notice: Notice): void => send({ notice });

/** The message that came, and all that have come since. */
function waiting(first: ToWorker<Operations>): readonly ToWorker<Operations>[] {
  const messages = [first];
  for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port))
    messages.push(next.message as ToWorker<Operations>);
  return messages;
}

function serve(engine: Engine): void {
  port.on("message", (first: ToWorker<Operations>) => {
    const messages = waiting(first);
    const requests = messages.flatMap((message) => ("requests" in message ? message.requests : []));
    if (requests.length > 0) send({ replies: engine.run(requests) });
    if (!messages.some((message) => "close" in message)) return;
    engine.close();
    port.close();
  });
  sendNotice({ opened: true });
}

/** Loads the native module while the host is not done with its settings yet. */
function loadNative(): void {
  try {
    openLastingDatabase(":memory:").close();
  } catch {
    // Whoever opens the database is told what is wrong with it.
  }
}

loadNative();

/** The first message says which database it is. */
port.once("message", (options: WorkerOptions) => {
  try {
    serve(new Engine(options, (log) => sendNotice({ log })));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    sendNotice({ refused: { reason: error.message, remedy: error.remedy, cause: String(error.cause) } });
  }
});
