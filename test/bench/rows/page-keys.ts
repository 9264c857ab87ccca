import type { Page } from "playwright-core";
import { sleep } from "../client.ts";

/** In milliseconds, the shortest first. */
export interface KeyTimes {
  /** From each key to when its frame was shown. */
  readonly shown: readonly number[];
  /** From each key to when the page had painted it; the rest is the browser's. */
  readonly painted: readonly number[];
}

const sorted = (values: readonly number[]): readonly number[] => values.toSorted((a, b) => a - b);

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly args: { readonly data: KeyTiming };
}

/** Times in milliseconds. */
interface KeyTiming {
  readonly type: string;
  readonly timeStamp: number;
  readonly commitFinishTime: number;
  readonly duration: number;
}

/** What a trace has of keys pressed meanwhile; the page itself is told their times in steps of 8 ms. */
export async function keysDuring(page: Page, work: () => Promise<void>): Promise<KeyTimes> {
  const browser = page.context().browser()!;
  await browser.startTracing(page, { categories: ["devtools.timeline"] });
  await work();
  await sleep(200);
  const trace = (await browser.stopTracing()).toString();
  const { traceEvents } = JSON.parse(trace) as { readonly traceEvents: readonly TraceEvent[] };
  const timings = traceEvents
    .filter(({ name, ph }) => name === "EventTiming" && ph === "b")
    .flatMap(({ args: { data } }) => (data.type === "keydown" ? [data] : []));
  return {
    shown: sorted(timings.map(({ duration }) => duration)),
    painted: sorted(timings.map(({ timeStamp, commitFinishTime }) => commitFinishTime - timeStamp)),
  };
}
