import { signal } from "@preact/signals";

/** Whether the service can be reached; `since` and `retryAt` in milliseconds of the clock. */
export type Connection =
  | { readonly state: "here" }
  | { readonly state: "lost"; readonly retryAt: number; readonly isOffline: boolean };

export const connection = signal<Connection>({ state: "here" });

const waits = [500, 1000, 2000, 4000, 8000, 15_000];
let failures = 0;
const waiting = new Set<() => void>();

/** Something has been read from the service. */
export function noteSuccess(): void {
  failures = 0;
  if (connection.peek().state !== "here") connection.value = { state: "here" };
}

/** Ends at once what waits for the next try. */
export function tryNow(): void {
  for (const wake of waiting) wake();
  waiting.clear();
}

/** Waits before the next try, longer each time. */
export async function waitForNextTry(): Promise<void> {
  const wait = waits[Math.min(failures++, waits.length - 1)] ?? 15_000;
  connection.value = { state: "lost", retryAt: Date.now() + wait, isOffline: !navigator.onLine };
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, wait);
    waiting.add(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

addEventListener("online", tryNow);
addEventListener("visibilitychange", () => document.visibilityState === "visible" && tryNow());
