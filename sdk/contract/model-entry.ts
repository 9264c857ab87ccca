import type { ModelInfo } from "./provider.ts";
import type { ModelDetails } from "./run-outcome.ts";

/** A model that can be called, and who provides it. */
export interface ModelEntry
  extends ModelDetails, Pick<ModelInfo, "file" | "takesReminders" | "supportsThinking"> {
  readonly name: string;
  readonly kind: "chat" | "embedding";
  readonly created: number;
  readonly vendor: string;
}

/** Hears of a model call. */
export interface CallObserver {
  /** Resolves when the answer is kept: a long one takes its part of the memory for all answers until then. */
  readonly stored?: Promise<unknown>;
  /** Tells who answers, before the first event. */
  onModel(by: ModelEntry): void;
  warning(text: string): void;
}
