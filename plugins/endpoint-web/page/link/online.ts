import { signal } from "@preact/signals";

/** Where the service cannot be reached: when it is tried again, in milliseconds of the clock. */
export const lost = signal<Readonly<{ retryAt: number; isOffline: boolean }> | undefined>(undefined);

const waits = [500, 1000, 2000, 4000, 8000, 15_000];
let failures = 0;
const waiting = new Set<() => void>();

/** Something has been read from the service. */
export function noteSuccess(): void {
  failures = 0;
  lost.value = undefined;
}

/** Ends at once what waits for the next try. */
export function tryNow(): void {
  for (const wake of waiting) wake();
  waiting.clear();
}

/** Waits before the next try, longer each time. */
export async function waitForNextTry(): Promise<void> {
  const wait = waits[Math.min(failures++, waits.length - 1)] ?? 15_000;
  lost.value = { retryAt: Date.now() + wait, isOffline: !navigator.onLine };
  await new Promise<void>((resolve) => {
    waiting.add(resolve);
    setTimeout(resolve, wait);
  });
}

addEventListener("online", tryNow);
addEventListener("visibilitychange", () => document.visibilityState === "visible" && tryNow());
