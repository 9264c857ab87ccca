import { call, needsSignIn } from "./api.ts";
import { noteSuccess, waitForNextTry } from "./online.ts";
import type { Approval, Run, Summary } from "./wire.ts";

/** What the page wants to know of the service at any time. */
export interface ServiceState {
  readonly approvals: readonly Approval[];
  readonly runs: readonly Run[];
  readonly conversations: readonly Summary[];
}

const interval = 2000;
let askAgain = (): void => {};

/** Asks at once: after something that this page has done. */
export const refresh = (): void => askAgain();

const read = async (): Promise<ServiceState> => {
  const [{ approvals }, { runs }, { conversations }] = await Promise.all([
    call<{ approvals: Approval[] }>("/api/approvals").catch(() => ({ approvals: [] })),
    call<{ runs: Run[] }>("/api/runs?limit=50"),
    call<{ conversations: Summary[] }>("/v1/conversations?limit=200"),
  ]);
  return { approvals, runs, conversations };
};

const shown = (): Promise<void> =>
  new Promise((resolve) => {
    if (document.visibilityState === "visible") return resolve();
    addEventListener("visibilitychange", () => resolve(), { once: true });
  });

const pause = (): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, interval);
    askAgain = () => {
      clearTimeout(timer);
      resolve();
    };
  });

/** Tells of every change until it is stopped. Only a visible page asks. */
export async function watchService(take: (state: ServiceState) => void, stop: AbortSignal): Promise<void> {
  let known = "";
  while (!stop.aborted) {
    await shown();
    if (needsSignIn.peek()) {
      await pause();
      continue;
    }
    const state = await read().catch(() => undefined);
    if (state === undefined && !needsSignIn.peek()) await waitForNextTry();
    if (state === undefined) continue;
    noteSuccess();
    const text = JSON.stringify(state);
    if (text !== known) take(state);
    known = text;
    await pause();
  }
}
