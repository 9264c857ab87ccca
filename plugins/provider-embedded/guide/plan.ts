import type { Route } from "../router/catalogue.ts";
import type { Arguments } from "../router/decision.ts";
import type { Candidate } from "../router/rank.ts";
import type { Slot } from "../slots/slot.ts";

export interface PlannedCall {
  readonly route: Route;
  readonly arguments: Arguments;
  /** The words it is the answer to. */
  readonly say: string;
}

/** Something the guide needs to hear before it can go on. */
export interface Pending {
  readonly calls: readonly PlannedCall[];
  /** The empty slot of the first call; undefined when only a yes is needed. */
  readonly slot: Slot | undefined;
}

/** What the guide means to do about a request. */
export type Plan =
  | { readonly kind: "calls"; readonly calls: readonly PlannedCall[]; readonly note?: string }
  | { readonly kind: "say"; readonly text: string; readonly pending?: Pending }
  | { readonly kind: "none"; readonly ranked: readonly Candidate[] };

/** The most calls made for one message. */
export const mostCalls = 5;
