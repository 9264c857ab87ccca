import { constants, performance, PerformanceObserver, type PerformanceEntry } from "node:perf_hooks";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Bytes of garbage that may gather while there is little to do, and while there is more. */
const most = { quiet: 24 * 1024 * 1024, busy: 48 * 1024 * 1024 };
/** A collection visits all objects in use: garbage may be so many times their bytes. */
const perObjects = 2;
/** Garbage that V8 itself lets gather before it collects in small steps, in percent of what is in use. */
const growth = 100;
/** The share of its time that a busy process works. */
const busyShare = 0.1;
/** Milliseconds between two looks. */
const interval = 100;
/** Milliseconds after which what was in use at a collection has mostly become garbage too. */
const aftermath = 2000;

/** Bytes of objects, and of these together with the text and the buffers that they hold. */
function bytesUsed(): { readonly objects: number; readonly all: number } {
  const { used_heap_size: objects, external_memory: external } = getHeapStatistics();
  return { objects, all: objects + external };
}

/** Whether a collection was one of everything, by V8 itself or by force. */
const isWhole = (entry: PerformanceEntry): boolean =>
  (entry as { readonly detail?: { readonly kind?: number } }).detail?.kind ===
  constants.NODE_PERFORMANCE_GC_MAJOR;

/**
 * Lets this process collect its garbage early. On a machine with much memory V8 lets hundreds of megabytes of
 * it gather first, which a service in the background should not take: one long answer leaves a hundred. While
 * little garbage is made nothing is done, so that it costs next to nothing. A collection stops everything for
 * about a millisecond a megabyte of objects in use: where many answers flow, V8 collects in small steps.
 */
export function collectEarly(): void {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  setFlagsFromString("--no-expose-gc");
  setFlagsFromString(`--heap-growing-percent=${growth}`);
  /** The fewest bytes since the last collection of ours: with them it was when all was at rest. */
  let atRest = bytesUsed().all;
  /** After the last collection, V8's own among them: most of it was in use. */
  let inUse = bytesUsed();
  /** When to collect again, as `performance.now` gives it. */
  let again = Infinity;
  const isWanted = (used: number, isBusy: boolean): boolean => {
    if (isBusy) return used - inUse.all >= Math.max(most.busy, inUse.objects * perObjects);
    return used - atRest >= most.quiet || performance.now() >= again;
  };
  let before = performance.eventLoopUtilization();
  const look = (): void => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    const used = bytesUsed().all;
    atRest = Math.min(atRest, used);
    if (!isWanted(used, utilization > busyShare)) return;
    again = performance.now() >= again ? Infinity : performance.now() + aftermath;
    collectGarbage();
    atRest = bytesUsed().all;
  };
  new PerformanceObserver((collections) => {
    if (collections.getEntries().some(isWhole)) inUse = bytesUsed();
  }).observe({ entryTypes: ["gc"] });
  setInterval(look, interval).unref();
}
