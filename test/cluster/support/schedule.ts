import type { Stop } from "../../support/plugins/storage-stepped/stepped-host.ts";
import type { calls } from "./calling-script.ts";

/** Where a host is stopped, counted in the steps of its way to the storage. */
export interface StopPoint {
  readonly at: number;
  readonly stop: Stop;
}

/**
 * `first` is stopped, and its session ends; `second` takes over, and is stopped there too where `then` says
 * so: `returns` goes on with the first meanwhile, `falls` has the second's session end as well.
 */
export interface Schedule {
  readonly first: StopPoint;
  readonly then?: StopPoint & { readonly what: "returns" | "falls" };
  /** Only steps that change something are counted. */
  readonly changesOnly: boolean;
  /** The first learns what it has lost before it goes on. */
  readonly learnsFirst: boolean;
  readonly stream: boolean;
  /** What the model calls, one after the other. */
  readonly calls: readonly (keyof typeof calls)[];
}

export interface Played {
  readonly faults: readonly string[];
  /** The hosts were stopped at these points; false where their work has fewer steps. */
  readonly reached: { readonly first: boolean; readonly then: boolean };
}
