import type { Caller } from "@pergola/sdk";
import type { Schedule } from "@pergola/sdk/host";

/** A schedule as it is stored. */
export interface StoredSchedule extends Schedule {
  /** Whose rights its runs have. */
  readonly maker: Caller;
  /** When a host took the start whose run has not begun yet; null while there is none. */
  readonly startingAt: string | null;
  /** The name of that host, where several share the storage. */
  readonly starter?: string | null;
}
