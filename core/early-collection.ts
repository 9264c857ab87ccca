import type { Session } from "node:inspector";
import { constants, performance, PerformanceObserver, type PerformanceEntry } from "node:perf_hooks";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Bytes of garbage that may gather while there is little to do, and while there is more. */
const most = { quiet: 24 * 1024 * 1024, busy: 48 * 1024 * 1024 };
/** A collection visits all objects in use: garbage may be so many times their bytes. */
const perObjects = 2;
/** Garbage that V8 itself lets gather before it collects in small steps, in percent of what is in use. */
const growth = 100;
/** The share of its time that a busy process works, and one that does more than to tidy up. */
const busyShare = 0.1;
const workShare = 0.5;
/** Milliseconds between two looks. */
const interval = 100;
/**
 * Milliseconds until the process is at rest: after answers, and after what nobody waits for, such as the
 * start or indexing. What was in use has mostly become garbage by then, and more work seldom follows at once.
 */
const aftermath = { answers: 4000, other: 2000 };
/** Bytes that V8 has set aside for more, from which on they are given back. */
const spare = 6 * 1024 * 1024;
/** Bytes of objects with which giving memory back would stop everything for too long. */
const mostToGiveBack = 64 * 1024 * 1024;

/** Bytes of objects, of these together with the text and the buffers that they hold, and those set aside. */
function bytesUsed(): { readonly objects: number; readonly all: number; readonly spare: number } {
  const { used_heap_size: objects, total_heap_size: total, external_memory: external } = getHeapStatistics();
  return { objects, all: objects + external, spare: total - objects };
}

/** Whether a collection was one of everything, by V8 itself or by force. */
const isWhole = (entry: PerformanceEntry): boolean =>
  (entry as { readonly detail?: { readonly kind?: number } }).detail?.kind ===
  constants.NODE_PERFORMANCE_GC_MAJOR;

/** Stays connected: it must not be let go while it answers. */
let inspector: Session | undefined;

/**
 * Collects all garbage there is and gives back the memory that V8 has set aside for more, some thirty
 * megabytes after work. Nothing else in Node makes V8 do so.
 */
async function giveBack(): Promise<void> {
  if (inspector === undefined) {
    const { Session } = await import("node:inspector");
    inspector = new Session();
    inspector.connect();
  }
  const session = inspector;
  await new Promise<void>((resolve) => session.post("HeapProfiler.collectGarbage", () => resolve()));
}

/**
 * Lets this process collect its garbage early. On a machine with much memory V8 lets hundreds of megabytes of
 * it gather first, which a service in the background should not take: one long answer leaves a hundred. While
 * little garbage is made nothing is done, so that it costs next to nothing. A collection stops everything for
 * about a millisecond a megabyte of objects in use: where many answers flow, V8 collects in small steps.
 *
 * A forced collection lets go of the hidden classes that no object has at that moment, and with them of all
 * code that was optimized for them. Between two turns that is most of what a turn needs, and half a second of
 * the processor to compile it again: none is forced in a short pause.
 *
 * `isAnswering` tells whether somebody waits for an answer. Streams take little time, and yet are work.
 */
export function collectEarly(isAnswering: () => boolean): void {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  setFlagsFromString("--no-expose-gc");
  setFlagsFromString(`--heap-growing-percent=${growth}`);
  /** The fewest bytes since the last collection of ours: with them it was when all was at rest. */
  let atRest = bytesUsed().all;
  /** After the last collection, V8's own among them: most of it was in use. */
  let inUse = bytesUsed();
  /** When it is at rest again, as `performance.now` gives it, the first work being the start; or it is. */
  let over: number | undefined = performance.now() + aftermath.other;
  /** Bytes set aside that giving back has left, since it could not take them. */
  let left = 0;
  const isTooMuch = (used: number, isBusy: boolean): boolean => {
    if (isBusy) return used - inUse.all >= Math.max(most.busy, inUse.objects * perObjects);
    return over === undefined && used - atRest >= most.quiet;
  };
  const collect = (): void => {
    collectGarbage();
    atRest = bytesUsed().all;
    over = performance.now() + aftermath.answers;
  };
  let before = performance.eventLoopUtilization();
  const rest = async (): Promise<void> => {
    over = undefined;
    if (bytesUsed().spare < spare) return;
    if (inUse.objects > mostToGiveBack) collectGarbage();
    // A Node may be built without the inspector.
    else await giveBack().catch(collectGarbage);
    left = bytesUsed().spare;
    // Else it would be taken for work.
    before = performance.eventLoopUtilization();
  };
  const look = (): void => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    const { all: used, spare: setAside } = bytesUsed();
    atRest = Math.min(atRest, used);
    const isBusy = utilization > busyShare;
    if (isAnswering() && isBusy) over = performance.now() + aftermath.answers;
    else if (utilization > workShare || (over === undefined && setAside >= Math.max(spare, 2 * left)))
      over = Math.max(over ?? 0, performance.now() + aftermath.other);
    if (isTooMuch(used, isBusy)) collect();
    else if (!isBusy && over !== undefined && performance.now() >= over) void rest();
  };
  new PerformanceObserver((collections) => {
    if (collections.getEntries().some(isWhole)) inUse = bytesUsed();
  }).observe({ entryTypes: ["gc"] });
  setInterval(look, interval).unref();
}
