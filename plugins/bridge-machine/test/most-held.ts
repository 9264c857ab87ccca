import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/**
 * Bytes of objects and buffers that are in use. What the first collection finds may still be in the sum until
 * the second.
 */
function held(): number {
  collect();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** The most bytes in use during the work beyond those before it, looked at again and again. */
export async function mostHeld(work: () => Promise<unknown>): Promise<number> {
  const before = held();
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, held())), 50);
  await work().finally(() => clearInterval(timer));
  return Math.max(most, held()) - before;
}
