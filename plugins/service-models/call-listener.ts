import type { ModelEntry } from "@pergola/sdk";
import type { ProviderInstance } from "./provider-instance.ts";

/** Hears of a call before its first event. */
export interface CallListener {
  /** Resolves when all of its answer is stored; undefined where it is not kept. */
  readonly stored?: Promise<unknown>;
  onModel(by: ModelEntry): void;
  warning(text: string): void;
}

/** Hears of each attempt, too. */
export interface AttemptListener extends CallListener {
  tries(model: ModelEntry, instance: ProviderInstance): void;
}
