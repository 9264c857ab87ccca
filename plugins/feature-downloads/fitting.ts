import { freemem, totalmem } from "node:os";
import type { DownloadService, FoundRepository } from "@pergola/sdk/host";

type Machine = Awaited<ReturnType<DownloadService["search"]>>["machine"];

/**
 * A model takes its file, a fifth more for what is computed of it, and half a gibibyte for a context of usual
 * length: an estimate, for a choice, not for a load. The runtime looks again.
 */
const memoryFor = (sizeBytes: number): number => sizeBytes * 1.2 + 0.5 * 2 ** 30;

/** This computer, as far as the process may use it. */
export function machineWith(freeDiskBytes: number): Machine {
  const { availableMemory, constrainedMemory } = process as Partial<
    Pick<typeof process, "availableMemory" | "constrainedMemory">
  >;
  const [memoryBytes, limit] = [totalmem(), constrainedMemory?.() ?? 0];
  return {
    memoryBytes: limit > 0 ? Math.min(memoryBytes, limit) : memoryBytes,
    freeMemoryBytes: availableMemory?.() ?? freemem(),
    freeDiskBytes,
  };
}

/** Whether a file of this size can be downloaded and run there. */
export function fitOf(
  sizeBytes: number | null,
  { memoryBytes, freeMemoryBytes, freeDiskBytes }: Machine,
): FoundRepository["files"][number]["fits"] {
  if (sizeBytes === null) return "unknown";
  const needed = memoryFor(sizeBytes);
  if (sizeBytes > freeDiskBytes || needed > memoryBytes) return "no";
  return needed <= freeMemoryBytes ? "yes" : "tight";
}
