const most = 2;
const waiting: (() => void)[] = [];
let taken = 0;

function leave(): void {
  taken -= 1;
  waiting.shift()?.();
}

/**
 * Lets two documents at a time be worked on, so that many calls at once need the memory of two. Rejects with
 * the signal's reason.
 */
export async function inThreadSlot<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  while (taken >= most) await turn(signal);
  signal.throwIfAborted();
  taken += 1;
  return work().finally(leave);
}

function turn(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const go = (): void => {
      signal.removeEventListener("abort", giveUp);
      resolve();
    };
    const giveUp = (): void => {
      waiting.splice(waiting.indexOf(go), 1);
      reject(signal.reason as Error);
    };
    signal.throwIfAborted();
    waiting.push(go);
    signal.addEventListener("abort", giveUp, { once: true });
  });
}
