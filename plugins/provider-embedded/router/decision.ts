import type { Json } from "@pergola/sdk";
import type { Slot } from "../slots/slot.ts";
import type { Route } from "./catalogue.ts";

export type Arguments = Readonly<Record<string, Json>>;

/** What comes of a phrase. */
export type Decision =
  | { readonly kind: "call"; readonly route: Route; readonly arguments: Arguments }
  /** A required slot is empty. */
  | { readonly kind: "ask"; readonly route: Route; readonly slot: Slot; readonly arguments: Arguments }
  /** Filled, but by guessing. */
  | { readonly kind: "confirm"; readonly route: Route; readonly arguments: Arguments }
  /**
   * Something that changes things was spoken of, but not plainly ordered. `objection` is a key of
   * `objections`, `unclear` or `leftover`.
   */
  | { readonly kind: "held"; readonly route: Route; readonly objection: string }
  | { readonly kind: "none" };
