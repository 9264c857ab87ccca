import { MessageChannel } from "node:worker_threads";
import type { PlainWrite, Request } from "../messages.ts";

const { port1: nowhere } = new MessageChannel();
nowhere.close();

const bytesIn = (write: PlainWrite): readonly ArrayBuffer[] =>
  "text" in write && typeof write.text !== "string" ? [write.text.buffer] : [];

/**
 * Gives back what long records took, once they are written: a closed port takes what is moved to it and drops
 * it (HTML standard, 9.4.4). The garbage of a thread that allocates little is collected late.
 */
export function releaseBytes(requests: readonly Request[]): void {
  const commits = requests.filter((request): request is Request<"commit"> => request.name === "commit");
  const bytes = commits.flatMap(({ ask }) => ask.writes.flatMap(bytesIn));
  if (bytes.length > 0) nowhere.postMessage(null, bytes);
}
