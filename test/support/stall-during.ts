import { existsSync, readFileSync } from "node:fs";

const statistics = "/proc/self/schedstat";

/**
 * Milliseconds for which this thread could have run so far and had to leave the processor to others, where
 * the system tells.
 */
const timeInLine = (): number =>
  existsSync(statistics) ? Number(readFileSync(statistics, "utf8").split(" ")[1]) / 1e6 : 0;

/**
 * The longest time in milliseconds for which the loop stood still during some work, but for what a busy
 * machine took from it.
 */
export async function stallDuring(work: Promise<unknown>): Promise<number> {
  const now = (): number => performance.now() - timeInLine();
  let [worst, last] = [0, now()];
  const timer = setInterval(() => {
    worst = Math.max(worst, now() - last - 5);
    last = now();
  }, 5);
  await work.finally(() => clearInterval(timer));
  return worst;
}
