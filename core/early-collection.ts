import { performance } from "node:perf_hooks";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Bytes of garbage that may gather while there is little to do, and while there is more. */
const most = { quiet: 24 * 1024 * 1024, busy: 48 * 1024 * 1024 };
/** The share of its time that a busy process works. */
const busyShare = 0.1;
/** Milliseconds between two looks. */
const interval = 100;
/** Milliseconds after which what was in use at a collection has mostly become garbage too. */
const aftermath = 2000;

function usedBytes(): number {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
}

/**
 * Lets this process collect its garbage early. On a machine with much memory V8 lets hundreds of megabytes of
 * it gather first, which a service in the background should not take: one long answer leaves a hundred. While
 * little garbage is made nothing is done, so that it costs next to nothing. A collection stops everything for
 * tens of milliseconds; while answers flow, V8 collects in small steps of its own.
 */
export function collectEarly(): void {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  setFlagsFromString("--no-expose-gc");
  let inUse = usedBytes();
  let again: NodeJS.Timeout | undefined;
  const collect = (): void => {
    collectGarbage();
    inUse = usedBytes();
  };
  let before = performance.eventLoopUtilization();
  const look = (): void => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    const used = usedBytes();
    inUse = Math.min(inUse, used);
    if (used - inUse < (utilization > busyShare ? most.busy : most.quiet)) return;
    collect();
    clearTimeout(again);
    again = setTimeout(collect, aftermath).unref();
  };
  setInterval(look, interval).unref();
}
